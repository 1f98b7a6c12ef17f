import socket
import subprocess
import sys
import time

srv = subprocess.Popen([sys.executable, "-m", "http.server", "8765", "--bind", "127.0.0.1"])
try:
    for _ in range(50):
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", 8765)) == 0:
                print("up")
                break
        time.sleep(0.1)
finally:
    srv.terminate()
    srv.wait(5)
