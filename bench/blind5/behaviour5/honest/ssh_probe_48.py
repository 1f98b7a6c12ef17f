# class: ssh client; possible: low medium
import os, socket
s = socket.create_connection(("ssh.good.test", 22), 5); print(s.recv(100)); s.sendall(b"SSH-2.0-py\r\n")
for _ in range(6): s.sendall(os.urandom(48)); s.recv(64)
