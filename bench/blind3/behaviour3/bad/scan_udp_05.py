# class: port scan; possible: low medium; style: datagrams to many ports, then a TCP check of a few
import select
import socket
import time

target = socket.gethostbyname("host9.lan.test")
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for port in [53, 67, 69, 111, 123, 137, 161, 500, 514, 520, 1900, 4500, 5060, 5353] + list(range(33434, 33534)):
    try:
        u.sendto(b"\0" * 8, (target, port))
    except OSError:
        pass
    if select.select([u], [], [], 0.05)[0]:
        print("answer from", u.recvfrom(100)[1])
for port in range(1, 200):
    t = socket.socket()
    t.settimeout(0.2)
    if not t.connect_ex((target, port)):
        print(port, "open")
    t.close()
    time.sleep(0.02)
