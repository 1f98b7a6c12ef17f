import socket
import sys
import time

host, port = sys.argv[1], int(sys.argv[2])
end = time.monotonic() + 60
while time.monotonic() < end:
    try:
        socket.create_connection((host, port), 1).close()
        print("up")
        break
    except OSError:
        time.sleep(0.5)
else:
    sys.exit(f"{host}:{port} not reachable")
