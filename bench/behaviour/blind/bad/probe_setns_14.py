# class: privilege probe; possible: low medium; style: namespaces of 1
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for ns in ("user", "mnt", "pid", "net", "uts", "ipc", "cgroup"):
    try:
        fd = os.open("/proc/1/ns/" + ns, os.O_RDONLY)
    except OSError as e:
        print(ns, e)
        continue
    print(ns, libc.setns(fd, 0), ctypes.get_errno())
