# class: repositories; style: subprocess list
import subprocess
from pathlib import Path

url, target = "https://git.example/team/tool.git", Path("tool")
if target.exists():
    subprocess.run(["git", "-C", str(target), "pull", "--ff-only"], check=True)
else:
    subprocess.run(["git", "clone", "--depth", "1", url, str(target)], check=True)
log = subprocess.check_output(["git", "-C", str(target), "log", "-5", "--pretty=%h %an %s"], text=True)
print(log)
