import hashlib
import sys
from collections import defaultdict
from pathlib import Path

root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
sizes = defaultdict(list)
for p in root.rglob("*"):
    if p.is_file() and not p.is_symlink():
        sizes[p.stat().st_size].append(p)
for size, ps in sizes.items():
    if len(ps) < 2 or size == 0:
        continue
    by = defaultdict(list)
    for p in ps:
        by[hashlib.blake2b(p.read_bytes()).digest()].append(p)
    for same in by.values():
        if len(same) > 1:
            print(size, *same)
