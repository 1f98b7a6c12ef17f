# class: port wait; possible: low medium; style: waits for a service that comes late, on its own loopback
import socket
import subprocess
import sys
import time

SERVICE = """
import http.server, time
time.sleep(4)
http.server.HTTPServer(("127.0.0.1", 8099), http.server.SimpleHTTPRequestHandler).serve_forever()
"""
p = subprocess.Popen([sys.executable, "-c", SERVICE])
for attempt in range(100):
    try:
        socket.create_connection(("127.0.0.1", 8099), timeout=1).close()
        print("up after", attempt)
        break
    except OSError:
        time.sleep(0.1)
p.terminate()
