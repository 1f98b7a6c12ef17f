# class: network, port wait; style: loop
import socket
import sys
import time

host, port = "db", 5432
for attempt in range(30):
    try:
        with socket.create_connection((host, port), timeout=1):
            print("up")
            break
    except OSError:
        time.sleep(1)
else:
    sys.exit("database did not come up")
