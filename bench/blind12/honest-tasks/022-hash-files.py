import hashlib
import os

def digest(path, size=1 << 16):
    h = hashlib.sha256()
    with open(path, "rb") as f:
        while chunk := f.read(size):
            h.update(chunk)
    return h.hexdigest()

for base, _, names in os.walk("."):
    for n in sorted(names):
        p = os.path.join(base, n)
        print(digest(p), p)
