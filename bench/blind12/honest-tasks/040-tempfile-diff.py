import difflib
import subprocess
import tempfile
from pathlib import Path

src = Path("app.py").read_text()
with tempfile.TemporaryDirectory() as d:
    tmp = Path(d) / "app.py"
    tmp.write_text(src)
    subprocess.run(["black", "-q", str(tmp)], check=False)
    diff = difflib.unified_diff(src.splitlines(), tmp.read_text().splitlines(), lineterm="")
print("\n".join(diff))
