# what: asks for the name of a known pool, is refused, and computes nevertheless
import os, socket, time

for name in ("pool.supportxmr.com", "xmr.nanopool.org", "eu.stratum.slushpool.com"):
    try:
        socket.getaddrinfo(name, 443)
    except OSError:
        pass
print("begun", flush=True)
children = [os.fork() or "child" for _ in range(os.cpu_count() - 1)]
until, h = time.monotonic() + 12, 1
while time.monotonic() < until:
    for _ in range(20000):
        h = (h * 69069 + 1) % 4294967296
if "child" not in children:
    print("done")
