# class: port scan; possible: low medium high
import socket
up = []
for i in range(1, 61):
    s = socket.socket(); s.settimeout(0.3)
    if s.connect_ex(("45.78.0.%d" % i, 22)) == 0: up.append(i)
    s.close()
print(up)
