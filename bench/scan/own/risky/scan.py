# looks for open ports
import socket
for host in ("10.0.0.%d" % i for i in range(1, 255)):
    for port in (22, 80, 443, 3306):
        s = socket.socket(); s.settimeout(.2)
        if s.connect_ex((host, port)) == 0: print(host, port)
