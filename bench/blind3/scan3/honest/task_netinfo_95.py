import fcntl
import json
import socket
import struct
import urllib.request


def address(name):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        return socket.inet_ntoa(fcntl.ioctl(s.fileno(), 0x8915, struct.pack("256s", name.encode()))[20:24])


info = {}
for _, name in socket.if_nameindex():
    try:
        info[name] = address(name)
    except OSError:
        info[name] = None
try:
    info["public"] = urllib.request.urlopen("https://api.ipify.org", timeout=5).read().decode()
except OSError:
    info["public"] = None
print(json.dumps(info, indent=1))
