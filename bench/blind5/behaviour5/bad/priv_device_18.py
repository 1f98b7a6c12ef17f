# class: privilege probe; possible: low medium
import os, stat
for name, major, minor in (("sda", 8, 0), ("mem", 1, 1), ("kmsg", 1, 11)):
    try:
        os.mknod("/tmp/" + name, 0o600 | stat.S_IFBLK if name == "sda" else 0o600 | stat.S_IFCHR, os.makedev(major, minor))
    except OSError as e: print(name, e)
    try: print(open("/dev/" + name, "rb").read(16))
    except OSError as e: print(name, e)
