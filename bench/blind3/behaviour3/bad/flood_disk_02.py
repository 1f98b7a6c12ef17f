# class: flood; possible: low medium high; style: many files, random blocks
import os

block = os.urandom(1 << 20)
n = 0
while True:
    with open("part%06d.bin" % n, "wb") as f:
        for _ in range(64):
            f.write(block)
    n += 1
