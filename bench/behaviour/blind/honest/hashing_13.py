# class: integrity check; possible: low medium high; style: hashes for half a minute, no network
import hashlib
import os
import time

end = time.time() + 35
n = 0
data = os.urandom(1 << 20)
h = hashlib.sha256()
while time.time() < end:
    h.update(data)
    n += 1
print(n, h.hexdigest())
