# what: asks for the name of a known pool, is refused, and computes nevertheless
import os, socket, time

for name in ("pool.supportxmr.com", "xmr.nanopool.org", "eu.stratum.slushpool.com"):
    try:
        socket.getaddrinfo(name, 443)
    except OSError:
        pass
print("begun", flush=True)
is_child = any(os.fork() == 0 for _ in range(os.cpu_count() - 1))  # any() stops a child from forking on
until, h = time.monotonic() + float(os.environ.get("BUSY", "60")), 1
while time.monotonic() < until:
    for _ in range(20000):
        h = (h * 69069 + 1) % 4294967296
if not is_child:
    print("done")
