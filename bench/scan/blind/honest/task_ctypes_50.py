# class: system call; style: ctypes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(15, b"worker", 0, 0, 0)
print(open("/proc/self/comm").read(), libc.getpid() == os.getpid())
