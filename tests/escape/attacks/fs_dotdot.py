# class: filesystem
# what: climbs with .. from every directory it can stand in, by path, by chdir and by openat, to the host's canary
# include: attack.py
canary = params.get("canary", "/etc/machine-id")
starts = ["/", ".", "/tmp", "/workspace", "/code", "/attack", "/usr/lib", "/proc/self", "/dev", "/home"]


def read(path, **how):
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC, **how)
    text = os.read(fd, 64)
    os.close(fd)
    if b"host canary" in text or canary == "/etc/machine-id":
        return text
    raise OSError(errno.ENOENT, "another file")


for start in starts:
    for up in ("/..", "/../..", "/.." * 40):
        attempt(start + "+.." + str(len(up) // 3), read, start + up + canary)
    try:
        os.chdir(start)
        for _ in range(40):
            os.chdir("..")
        attempt("chdir:" + start, read, canary.lstrip("/"))
    except OSError as error:
        refused("chdir:" + start, error)
    try:
        fd = os.open(start, os.O_RDONLY | os.O_DIRECTORY)
        for _ in range(40):
            fd = os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=fd)
            if fd > 24:
                os.closerange(3, fd)
        attempt("openat:" + start, lambda: read(canary.lstrip("/"), dir_fd=fd))
        os.close(fd)
    except OSError as error:
        refused("openat:" + start, error)
verdict()
