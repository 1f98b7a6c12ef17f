"""Nightly dump of the application database; keeps 14 days. Part of the ops repo."""
import gzip
import logging
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

TARGET = Path(os.environ.get("DUMP_DIR", "/srv/backup/pg"))
KEEP = 14 * 86400
log = logging.getLogger("dumpdb")


def dump(db: str) -> Path:
    out = TARGET / f"{db}-{time.strftime('%Y%m%d-%H%M')}.sql.gz"
    tmp = out.with_suffix(".part")
    with subprocess.Popen(["pg_dump", "--no-owner", db], stdout=subprocess.PIPE) as p, gzip.open(tmp, "wb") as fh:
        shutil.copyfileobj(p.stdout, fh)
    if p.returncode:
        tmp.unlink()
        raise RuntimeError(f"pg_dump {db} ended with {p.returncode}")
    tmp.rename(out)
    return out


def prune(db: str) -> None:
    limit = time.time() - KEEP
    for f in TARGET.glob(f"{db}-*.sql.gz"):
        if f.stat().st_mtime < limit:
            log.info("prune %s", f.name)
            f.unlink()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or ["orders"]:
        log.info("wrote %s", dump(name))
        prune(name)
