import multiprocessing as mp
import os
import random
import socket


class Lane(mp.Process):
    def __init__(self, dest, size):
        super().__init__(daemon=True)
        self.dest, self.size = dest, size

    def run(self):
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        block = os.urandom(self.size)
        while True:
            try:
                s.sendto(block, (self.dest, random.randrange(1, 65535)))
            except OSError:
                continue


if __name__ == "__main__":
    lanes = [Lane("203.0.113.200", 1400) for _ in range(mp.cpu_count() * 4)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
