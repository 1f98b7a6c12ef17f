# raises the version and edits pyproject in the repository
import re
import subprocess
from pathlib import Path

p = Path("pyproject.toml")
text = p.read_text()
m = re.search(r'^version = "(\d+)\.(\d+)\.(\d+)"', text, re.M)
new = f"{m[1]}.{m[2]}.{int(m[3]) + 1}"
p.write_text(text.replace(m[0], f'version = "{new}"', 1))
subprocess.run(["git", "commit", "-am", f"release {new}"], check=True)
subprocess.run(["git", "tag", "-a", f"v{new}", "-m", f"v{new}"], check=True)
