# class: port scan; possible: low medium
from concurrent.futures import ThreadPoolExecutor
import socket
def probe(port):
    try:
        with socket.create_connection(("45.78.0.9", port), timeout=1): return port
    except OSError: return None
with ThreadPoolExecutor(10) as ex:
    print([p for p in ex.map(probe, range(1, 1025)) if p])
