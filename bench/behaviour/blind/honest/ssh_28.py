# class: ssh-like client; possible: low medium; style: banner, keys, remote command, output to the screen
import hashlib
import os
import socket

s = socket.create_connection(("ssh.good.test", 22), timeout=10)
print(s.recv(200))
s.sendall(b"SSH-2.0-client_1\r\n")
key = hashlib.sha256(os.urandom(32)).digest()
for command in (b"uptime", b"df -h", b"exit"):
    s.sendall(bytes(a ^ b for a, b in zip(command.ljust(32), key)))
    print(len(s.recv(4096)))
