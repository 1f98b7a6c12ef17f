# class: privilege probe; possible: low medium high; style: device nodes
import os
import stat

for name, kind, dev in [("/tmp/sda", stat.S_IFBLK, (8, 0)), ("/tmp/mem", stat.S_IFCHR, (1, 1)), ("/tmp/kmsg",
    stat.S_IFCHR, (1, 11))]:
    try:
        os.mknod(name, kind | 0o600, os.makedev(*dev))
        print(open(name, "rb").read(16))
    except OSError as e:
        print(e)
