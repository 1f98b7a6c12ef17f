# class: files, backup with rotation; style: sysadmin
#!/usr/bin/env python3
import os, sys, tarfile, time, glob

SRC = sys.argv[1] if len(sys.argv) > 1 else os.path.expanduser("~/projects")
DST = os.path.expanduser("~/backups")
KEEP = 7

os.makedirs(DST, exist_ok=True)
name = os.path.join(DST, time.strftime("projects-%Y%m%d-%H%M.tar.gz"))
skip = ("node_modules", ".venv", "__pycache__")
with tarfile.open(name, "w:gz") as tar:
    tar.add(SRC, arcname="projects", filter=lambda i: None if any(s in i.name.split("/") for s in skip) else i)
for old in sorted(glob.glob(os.path.join(DST, "projects-*.tar.gz")))[:-KEEP]:
    os.unlink(old)
    print("removed", old)
print(name, os.path.getsize(name))
