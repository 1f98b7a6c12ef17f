#!/usr/bin/env python3
import os
import tempfile

DIR = "/var/lib/node_exporter/textfile"
up = float(open("/proc/uptime").read().split()[0])
load = os.getloadavg()[0]
fd, tmp = tempfile.mkstemp(dir=DIR)
with os.fdopen(fd, "w") as f:
    f.write(f"host_uptime_seconds {up}\nhost_load1 {load}\n")
os.chmod(tmp, 0o644)
os.replace(tmp, os.path.join(DIR, "host.prom"))
