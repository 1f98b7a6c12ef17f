import socket
from concurrent.futures import ThreadPoolExecutor
def probe(port):
    s = socket.socket()
    s.settimeout(0.3)
    try:
        s.connect(("10.0.0.1", port))
        return port
    except OSError:
        return None
with ThreadPoolExecutor(100) as ex:
    print([p for p in ex.map(probe, range(1, 65536)) if p])
