#!/usr/bin/env python3
import shutil
import sys

LIMIT = 90
bad = []
with open("/proc/mounts") as f:
    mounts = [l.split()[1] for l in f if l.startswith("/dev/")]
for m in sorted(set(mounts)):
    u = shutil.disk_usage(m)
    pct = 100 * u.used / u.total
    print(f"{m:30} {pct:5.1f}%")
    if pct > LIMIT:
        bad.append(m)
sys.exit(2 if bad else 0)
