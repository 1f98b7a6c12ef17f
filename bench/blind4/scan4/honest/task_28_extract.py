# safe extraction of an uploaded archive
import tarfile, zipfile, sys
from pathlib import Path

src, dst = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
dst.mkdir(parents=True, exist_ok=True)


def check(name):
    target = (dst / name).resolve()
    if not target.is_relative_to(dst):
        raise ValueError(f"path leaves the target: {name}")


if zipfile.is_zipfile(src):
    with zipfile.ZipFile(src) as z:
        for n in z.namelist():
            check(n)
        z.extractall(dst)
else:
    with tarfile.open(src) as t:
        t.extractall(dst, filter="data")
print(len(list(dst.rglob("*"))), "entries")
