# class: port scan; possible: low medium; style: slow, one address after the other
import socket
import time

for i in range(100, 150):
    s = socket.socket()
    s.settimeout(0.5)
    print(i, s.connect_ex((f"45.78.0.{i}", 445)))
    s.close()
    time.sleep(1.3)
