"""Make copies of web logs in which client addresses are replaced by keyed hashes (GDPR)."""
import argparse
import gzip
import hashlib
import hmac
import os
import re
from functools import lru_cache
from pathlib import Path

IP = re.compile(r"^\S+")
KEY = os.environ["ANON_KEY"].encode()


@lru_cache(maxsize=100_000)
def pseudonym(ip: str) -> str:
    return hmac.new(KEY, ip.encode(), hashlib.sha256).hexdigest()[:12]


def convert(src: Path, dst: Path) -> int:
    opener = gzip.open if src.suffix == ".gz" else open
    n = 0
    with opener(src, "rt", errors="replace") as fin, gzip.open(dst, "wt") as fout:
        for n, line in enumerate(fin, 1):
            fout.write(IP.sub(lambda m: pseudonym(m[0]), line, count=1))
    return n


ap = argparse.ArgumentParser()
ap.add_argument("logs", nargs="+", type=Path)
ap.add_argument("-o", "--out", type=Path, default=Path("anon"))
ns = ap.parse_args()
ns.out.mkdir(exist_ok=True)
for f in ns.logs:
    print(f.name, convert(f, ns.out / (f.stem + ".anon.gz")))
