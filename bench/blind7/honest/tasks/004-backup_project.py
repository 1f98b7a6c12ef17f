"""Back up the project directory into ./backups, keeping the last seven."""
import datetime
import os
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
DEST = os.path.join(HERE, "backups")
SKIP = {"node_modules", ".venv", "__pycache__", "backups", ".git"}
KEEP = 7

os.makedirs(DEST, exist_ok=True)
name = os.path.join(DEST, f"project-{datetime.datetime.now():%Y%m%d-%H%M%S}.zip")
with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
    for d, dirs, files in os.walk(HERE):
        dirs[:] = [x for x in dirs if x not in SKIP]
        for f in files:
            p = os.path.join(d, f)
            z.write(p, os.path.relpath(p, HERE))

old = sorted(f for f in os.listdir(DEST) if f.endswith(".zip"))[:-KEEP]
for f in old:
    os.remove(os.path.join(DEST, f))
print(name, f"({os.path.getsize(name) / 1e6:.1f} MB), removed {len(old)}")
