# class: server dropping privileges; style: daemon
import grp
import os
import pwd
import socket

s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("0.0.0.0", 80 if os.getuid() == 0 else 8080))
s.listen()
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(grp.getgrnam("nogroup").gr_gid)
    os.setuid(pwd.getpwnam("nobody").pw_uid)
conn, _ = s.accept()
conn.sendall(b"HTTP/1.0 200 OK\r\n\r\nhi\n")
conn.close()
