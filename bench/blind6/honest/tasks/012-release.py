import re
import subprocess
import sys
from pathlib import Path


def sh(*a):
    print("+", *a)
    subprocess.run(a, check=True)


part = sys.argv[1] if len(sys.argv) > 1 else "patch"
f = Path("pyproject.toml")
text = f.read_text()
m = re.search(r'^version = "(\d+)\.(\d+)\.(\d+)"', text, re.M)
v = [int(x) for x in m.groups()]
i = ["major", "minor", "patch"].index(part)
v = v[:i] + [v[i] + 1] + [0] * (2 - i)
new = ".".join(map(str, v))
f.write_text(text.replace(m.group(0), f'version = "{new}"'))
sh("git", "add", str(f))
sh("git", "commit", "-m", f"Release {new}")
sh("git", "tag", "-a", f"v{new}", "-m", new)
sh("git", "push", "--follow-tags")
