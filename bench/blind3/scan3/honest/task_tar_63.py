import datetime
import shutil
import tarfile
from pathlib import Path

src, dest = Path.home() / "Documents", Path("/mnt/backup")
name = dest / ("documents-%s.tar.xz" % datetime.date.today())
with tarfile.open(name, "w:xz") as tar:
    tar.add(src, arcname="Documents", filter=lambda i: None if i.name.endswith((".tmp", "~")) else i)
archives = sorted(dest.glob("documents-*.tar.xz"))
for old in archives[:-5]:
    old.unlink()
print(name, name.stat().st_size, shutil.disk_usage(dest).free)
