# what: a UDP scan: one datagram to each of many ports
import os, socket, time

print("begun", flush=True)
s = socket.socket(type=socket.SOCK_DGRAM)
for port in range(100, 300):
    try:
        s.sendto(b"?", ("10.11.12.13", port))
    except OSError:
        pass
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")
