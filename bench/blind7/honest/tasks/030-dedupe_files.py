import argparse
import collections
import hashlib
import os

ap = argparse.ArgumentParser()
ap.add_argument("dir")
ap.add_argument("--link", action="store_true")
a = ap.parse_args()

by_size = collections.defaultdict(list)
for d, _, fs in os.walk(a.dir):
    for f in fs:
        p = os.path.join(d, f)
        if not os.path.islink(p):
            by_size[os.path.getsize(p)].append(p)


def digest(p):
    h = hashlib.blake2b()
    with open(p, "rb") as f:
        while b := f.read(1 << 20):
            h.update(b)
    return h.digest()


saved = 0
for size, ps in by_size.items():
    if size == 0 or len(ps) < 2:
        continue
    groups = collections.defaultdict(list)
    for p in ps:
        groups[digest(p)].append(p)
    for keep, *dups in groups.values():
        for p in dups:
            saved += size
            print(f"{p} == {keep}")
            if a.link:
                os.replace(p, p + ".dup")
                os.link(keep, p)
                os.remove(p + ".dup")
print(f"{saved / 1e6:.1f} MB duplicate")
