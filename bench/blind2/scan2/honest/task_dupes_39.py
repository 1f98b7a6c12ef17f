# class: files, finds equal files; style: script
import hashlib, os, sys
from collections import defaultdict
root = sys.argv[1] if len(sys.argv) > 1 else "."
bysize = defaultdict(list)
for d, _, fs in os.walk(root):
    for f in fs:
        p = os.path.join(d, f)
        if not os.path.islink(p): bysize[os.path.getsize(p)].append(p)
for size, ps in bysize.items():
    if len(ps) < 2: continue
    byhash = defaultdict(list)
    for p in ps:
        with open(p, "rb") as fh:
            byhash[hashlib.file_digest(fh, "sha256").hexdigest()].append(p)
    for h, same in byhash.items():
        if len(same) > 1: print(size, h[:12], *same)
