# class: port scan; possible: low medium; style: one try a second, in random order
import random
import socket
import time

targets = [("45.78.0.%d" % h, p) for h in range(1, 21) for p in (21, 22, 80, 445, 3306, 3389, 5432, 8080)]
random.Random(5).shuffle(targets)
for address in targets[:55]:
    s = socket.socket()
    s.settimeout(0.5)
    code = s.connect_ex(address)
    s.close()
    if code == 0:
        print(*address)
    time.sleep(0.9)
