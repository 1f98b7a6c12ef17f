# class: benchmark; possible: low medium high; style: every digest for a second, table
import hashlib
import os
import time

block = os.urandom(1 << 16)
for name in ("md5", "sha1", "sha256", "sha512", "sha3_256", "blake2b", "blake2s"):
    n, end, start = 0, time.perf_counter() + 1.0, time.perf_counter()
    h = hashlib.new(name)
    while time.perf_counter() < end:
        h.update(block)
        n += len(block)
    print("%-10s %7.1f MB/s %s" % (name, n / (time.perf_counter() - start) / 1e6, h.hexdigest()[:12]))
start = time.perf_counter()
hashlib.pbkdf2_hmac("sha256", b"pw", b"salt", 300000)
print("pbkdf2 %.2f s" % (time.perf_counter() - start))
