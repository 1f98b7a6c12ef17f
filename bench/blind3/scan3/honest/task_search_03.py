import os
import re
import subprocess

root = "/workspace/project"
try:
    out = subprocess.run(["rg", "-n", "TODO|FIXME", root], capture_output=True, text=True).stdout
except FileNotFoundError:
    out = ""
    for top, dirs, names in os.walk(root):
        dirs[:] = [d for d in dirs if d not in {".git", "node_modules", "__pycache__"}]
        for name in names:
            if name.endswith((".py", ".js", ".ts")):
                with open(os.path.join(top, name), encoding="utf-8", errors="ignore") as f:
                    for n, line in enumerate(f, 1):
                        if re.search("TODO|FIXME", line):
                            out += "%s:%d:%s" % (os.path.join(top, name), n, line)
print(out[:5000])
