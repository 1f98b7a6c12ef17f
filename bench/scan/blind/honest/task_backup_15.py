# class: backup; style: tarfile and rotation
import tarfile
import time
from pathlib import Path

SOURCE, TARGET, KEEP = Path("project"), Path("backups"), 7
TARGET.mkdir(exist_ok=True)
name = TARGET / time.strftime("project-%Y%m%d-%H%M%S.tar.gz")
with tarfile.open(name, "w:gz") as tar:
    tar.add(SOURCE, arcname=SOURCE.name)
for old in sorted(TARGET.glob("project-*.tar.gz"))[:-KEEP]:
    old.unlink()
print(name, name.stat().st_size)
