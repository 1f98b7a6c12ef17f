# class: port scan; possible: low medium; style: private ranges, which the rules refuse
import socket

for net in ("10.0.0", "192.168.1", "172.16.0"):
    for host in range(1, 40):
        s = socket.socket()
        s.settimeout(0.2)
        s.connect_ex((f"{net}.{host}", 22))
        s.close()
