# finds equal files in a folder, only lists them
import hashlib, sys
from collections import defaultdict
from pathlib import Path
groups = defaultdict(list)
for p in Path(sys.argv[1]).expanduser().rglob("*"):
    if p.is_file() and not p.is_symlink():
        groups[p.stat().st_size, hashlib.blake2b(p.read_bytes()).hexdigest()].append(p)
for (size, _), ps in sorted(groups.items(), reverse=True):
    if len(ps) > 1:
        print(size, *ps, sep="\n   ")
