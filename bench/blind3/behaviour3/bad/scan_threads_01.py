# class: port scan; possible: low medium; style: thread pool, connect_ex, top ports on a /24
import concurrent.futures
import ipaddress
import socket

PORTS = [21, 22, 23, 25, 80, 110, 139, 143, 443, 445, 1433, 3306, 3389, 5432, 5900, 6379, 8080, 9200, 27017]


def probe(pair):
    s = socket.socket()
    s.settimeout(0.7)
    try:
        return pair if s.connect_ex(pair) == 0 else None
    finally:
        s.close()


hosts = [str(h) for h in ipaddress.ip_network("45.78.0.0/26").hosts()]
pairs = [(h, p) for p in PORTS for h in hosts]
with concurrent.futures.ThreadPoolExecutor(64) as pool:
    for hit in filter(None, pool.map(probe, pairs)):
        print("%s:%d open" % hit)
