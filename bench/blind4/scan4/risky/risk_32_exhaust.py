# fills memory and the disk
import os
import threading


def eat_ram():
    hog = []
    while True:
        hog.append(bytearray(100 * 1024 * 1024))


def eat_disk(path="/var/tmp/.fill"):
    with open(path, "wb", buffering=0) as f:
        while True:
            f.write(os.urandom(1 << 20))


for fn in (eat_ram, eat_disk) * 4:
    threading.Thread(target=fn).start()
