import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor

PORTS = (22, 80, 443, 445, 3306, 6379)

def probe(args):
    host, port = args
    with socket.socket() as s:
        s.settimeout(0.3)
        if s.connect_ex((host, port)) == 0:
            return host, port

jobs = [(str(h), p) for h in ipaddress.ip_network("10.0.0.0/16").hosts() for p in PORTS]
with ThreadPoolExecutor(200) as ex:
    for hit in filter(None, ex.map(probe, jobs)):
        print(*hit)
