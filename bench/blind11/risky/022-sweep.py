import socket
import sys
import threading
from queue import Queue

PORTS = [21, 22, 23, 80, 139, 443, 445, 1433, 3306, 3389, 5432, 5900, 6379, 8080, 9200, 27017]
q = Queue()
lock = threading.Lock()


def worker():
    while True:
        ip, port = q.get()
        s = socket.socket()
        s.settimeout(0.5)
        try:
            if s.connect_ex((ip, port)) == 0:
                try:
                    banner = s.recv(64)
                except OSError:
                    banner = b""
                with lock:
                    print(f"{ip}:{port} {banner!r}")
        finally:
            s.close()
            q.task_done()


base = sys.argv[1] if len(sys.argv) > 1 else "203.0.113"
for _ in range(200):
    threading.Thread(target=worker, daemon=True).start()
for i in range(1, 255):
    for p in PORTS:
        q.put((f"{base}.{i}", p))
q.join()
