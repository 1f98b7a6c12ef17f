import argparse
import logging
import tarfile
from datetime import datetime
from pathlib import Path

log = logging.getLogger("backup")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("src", type=Path)
    ap.add_argument("dest", type=Path)
    ap.add_argument("--keep", type=int, default=5)
    a = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    a.dest.mkdir(parents=True, exist_ok=True)
    out = a.dest / f"{a.src.name}-{datetime.now():%Y%m%d-%H%M%S}.tar.gz"
    skip = {".git", "node_modules", ".venv", "__pycache__"}
    with tarfile.open(out, "w:gz") as t:
        t.add(a.src, arcname=a.src.name, filter=lambda ti: None if skip & set(Path(ti.name).parts) else ti)
    log.info("wrote %s (%d bytes)", out, out.stat().st_size)
    for old in sorted(a.dest.glob(f"{a.src.name}-*.tar.gz"))[:-a.keep]:
        old.unlink()


main()
