"""Move downloads older than 60 days to the trash."""
import time
from pathlib import Path

from send2trash import send2trash

DOWNLOADS = Path.home() / "Downloads"
LIMIT = 60 * 86400
KEEP = {".kdbx", ".iso"}

freed = 0
for p in DOWNLOADS.iterdir():
    if p.name.startswith(".") or p.suffix in KEEP:
        continue
    st = p.stat()
    if time.time() - max(st.st_mtime, st.st_atime) > LIMIT:
        freed += st.st_size
        print("trash", p.name)
        send2trash(p)
print(f"{freed / 1e6:.1f} MB")
