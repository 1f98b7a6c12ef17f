import subprocess
import sys
import venv
from pathlib import Path

d = Path(".venv")
if not d.exists():
    venv.create(d, with_pip=True)
py = d / ("Scripts" if sys.platform == "win32" else "bin") / "python"
subprocess.check_call([py, "-m", "pip", "install", "-U", "pip", "wheel"])
for req in ("requirements.txt", "requirements-dev.txt"):
    if Path(req).exists():
        subprocess.check_call([py, "-m", "pip", "install", "-r", req])
print(subprocess.check_output([py, "-m", "pip", "freeze"], text=True))
