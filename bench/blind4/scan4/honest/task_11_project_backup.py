# archive of the project without caches, the last seven are kept
import tarfile
import time
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent
DST = SRC.parent / "backups"
SKIP = {".git", "node_modules", "__pycache__", ".venv", "dist"}


def keep(info):
    return None if SKIP & set(Path(info.name).parts) else info


DST.mkdir(exist_ok=True)
name = DST / f"{SRC.name}-{time.strftime('%Y%m%d-%H%M%S')}.tar.gz"
with tarfile.open(name, "w:gz") as tar:
    tar.add(SRC, arcname=SRC.name, filter=keep)
for old in sorted(DST.glob(f"{SRC.name}-*.tar.gz"))[:-7]:
    old.unlink()
print(name, name.stat().st_size)
