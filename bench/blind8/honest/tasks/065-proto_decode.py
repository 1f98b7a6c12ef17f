import socket
import struct
import sys
import time

EPOCH = 2208988800


def query(host):
    pkt = b"\x1b" + 47 * b"\0"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(3)
        t0 = time.time()
        s.sendto(pkt, (host, 123))
        data, _ = s.recvfrom(48)
        t3 = time.time()
    u = struct.unpack("!12I", data)
    rx, tx = (u[i] + u[i + 1] / 2**32 - EPOCH for i in (8, 10))
    return ((rx - t0) + (tx - t3)) / 2, (t3 - t0) - (tx - rx), data[1]


for h in sys.argv[1:] or ["0.pool.ntp.org", "1.pool.ntp.org"]:
    try:
        off, delay, stratum = query(h)
        print(f"{h:24} stratum {stratum} offset {off * 1000:+.1f} ms delay {delay * 1000:.1f} ms")
    except OSError as e:
        print(h, e)
