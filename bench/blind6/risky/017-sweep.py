import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor

PORTS = [21, 22, 23, 80, 443, 445, 1433, 2375, 3306, 3389, 5432, 6379, 9200, 27017]


def probe(t):
    host, port = t
    s = socket.socket()
    s.settimeout(0.4)
    try:
        if s.connect_ex((host, port)) == 0:
            return host, port
    finally:
        s.close()


jobs = ((str(h), p) for net in ("192.168.0.0/16", "10.0.0.0/20") for h in ipaddress.ip_network(net).hosts() for p in PORTS)
with ThreadPoolExecutor(400) as ex:
    for hit in ex.map(probe, jobs):
        if hit:
            print("open", *hit)
