# what: the checksum of a file, again and again, on every core
# network: none
import hashlib, os, time

with open("/workspace/big", "wb") as f:
    for i in range(8):
        f.write(os.urandom(1 << 20))
is_child = any(os.fork() == 0 for _ in range(os.cpu_count() - 1))  # any() stops a child from forking on
until = time.monotonic() + 1.5
while time.monotonic() < until:
    h = hashlib.sha256()
    with open("/workspace/big", "rb") as f:
        while part := f.read(1 << 20):
            h.update(part)
if not is_child:
    print("done")
