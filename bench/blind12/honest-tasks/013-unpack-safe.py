import sys
import tarfile
from pathlib import Path

src, dst = sys.argv[1], Path("unpacked").resolve()
dst.mkdir(exist_ok=True)
with tarfile.open(src) as tar:
    for m in tar.getmembers():
        if not (dst / m.name).resolve().is_relative_to(dst):
            raise SystemExit(f"unsafe path {m.name}")
    tar.extractall(dst)
print(sum(1 for _ in dst.rglob("*")), "entries")
