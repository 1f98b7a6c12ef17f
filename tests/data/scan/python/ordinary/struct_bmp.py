import struct
w, h = 4, 4
row = b"\xff\x00\x00" * w
with open("red.bmp", "wb") as f:
    f.write(struct.pack("<2sIHHI", b"BM", 54 + len(row) * h, 0, 0, 54))
    f.write(struct.pack("<IiiHHIIiiII", 40, w, h, 1, 24, 0, 0, 0, 0, 0, 0))
    f.write(row * h)
