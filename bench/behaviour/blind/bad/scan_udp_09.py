# class: port scan; possible: low medium; style: UDP
import socket

u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.settimeout(0.05)
for port in (53, 123, 161, 1900):
    for i in range(1, 60):
        try:
            u.sendto(b"\x30\x26\x02\x01\x01\x04\x06public", (f"45.78.0.{i}", port))
            u.recvfrom(100)
        except OSError:
            pass
