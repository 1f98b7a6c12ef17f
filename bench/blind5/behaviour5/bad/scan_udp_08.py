# class: port scan; possible: low medium high
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(0.02)
for port in [53, 67, 69, 123, 137, 161, 500, 514, 520, 1194, 1900, 4500, 5353] * 1:
    for host in range(1, 9):
        try: s.sendto(b"\0" * 8, ("45.78.0.%d" % host, port)); s.recv(512)
        except OSError: pass
