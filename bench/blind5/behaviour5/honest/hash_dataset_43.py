# class: checksums; possible: low medium
"""Hashes and signs a lot of generated parts while a manifest is streamed."""
import hashlib, json, os, socket, time
s = socket.create_connection(("dash.good.test", 7000)); t0, n = time.time(), 0
while time.time() - t0 < 36:
    part = os.urandom(1 << 16); d = hashlib.sha256(part).hexdigest()
    for _ in range(40): hashlib.blake2b(part).digest()
    n += 1
    if n % 200 == 0: s.sendall((json.dumps({"part": n, "sha256": d}) + "\n").encode())
