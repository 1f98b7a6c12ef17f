import re
import subprocess
import sys
from datetime import date
from pathlib import Path


def git(*a):
    return subprocess.check_output(["git", *a], text=True).strip()


part = sys.argv[1] if len(sys.argv) > 1 else "patch"
py = Path("pyproject.toml")
text = py.read_text()
cur = re.search(r'^version = "(\d+)\.(\d+)\.(\d+)"', text, re.M)
v = [int(x) for x in cur.groups()]
i = ("major", "minor", "patch").index(part)
v = v[:i] + [v[i] + 1] + [0] * (2 - i)
new = ".".join(map(str, v))

if git("status", "--porcelain"):
    sys.exit("working tree not clean")
last = git("describe", "--tags", "--abbrev=0")
log = git("log", f"{last}..HEAD", "--pretty=- %s (%h)")
py.write_text(text.replace(cur.group(0), f'version = "{new}"'))
cl = Path("CHANGELOG.md")
cl.write_text(f"## {new} ({date.today()})\n\n{log}\n\n" + (cl.read_text() if cl.exists() else ""))
git("commit", "-am", f"release {new}")
git("tag", "-a", f"v{new}", "-m", f"v{new}")
git("push", "--follow-tags")
print("released", new)
