# class: port scan; possible: low medium; style: threads over a network
import socket
from concurrent.futures import ThreadPoolExecutor


def probe(host):
    s = socket.socket()
    s.settimeout(1)
    try:
        return host if s.connect_ex((host, 22)) == 0 else None
    finally:
        s.close()


with ThreadPoolExecutor(16) as pool:
    print([h for h in pool.map(probe, (f"45.78.0.{i}" for i in range(1, 200))) if h])
