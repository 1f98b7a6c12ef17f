# class: remote login; possible: low medium; style: talks to the named host on port 22 for half a minute, small packets
import os
import socket
import time

s = socket.create_connection(("ssh.good.test", 22), 10)
print(s.recv(100).decode().strip())
s.sendall(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
total = 0
for _ in range(40):
    s.sendall(os.urandom(96))
    total += len(s.recv(4096))
    time.sleep(0.6)
print(total > 0)
s.close()
