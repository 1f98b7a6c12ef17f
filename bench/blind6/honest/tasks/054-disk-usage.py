import os
import sys
from collections import Counter

root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
size = Counter()
for base, dirs, files in os.walk(root, onerror=lambda e: print(e, file=sys.stderr)):
    s = 0
    for f in files:
        try:
            s += os.lstat(os.path.join(base, f)).st_blocks * 512
        except OSError:
            pass
    d = base
    while d.startswith(root):
        size[d] += s
        if d == root:
            break
        d = os.path.dirname(d)
for d, s in size.most_common(20):
    print(f"{s / 1e6:10.1f} MB  {d}")
