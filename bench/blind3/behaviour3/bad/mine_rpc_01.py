# class: mining; possible: low medium; style: json-rpc, dictionary of handlers, scrypt-like loop
import hashlib
import json
import os
import socket
import time


class Client:
    def __init__(self, host, port):
        self.sock = socket.create_connection((host, port), timeout=20)
        self.file = self.sock.makefile("rw", newline="\n")
        self.ident = 0
        self.session = None
        self.job = None

    def call(self, method, params):
        self.ident += 1
        self.file.write(json.dumps({"id": self.ident, "jsonrpc": "2.0", "method": method, "params": params}) + "\n")
        self.file.flush()
        return json.loads(self.file.readline() or "{}")


c = Client("pool.coin.test", 3334)
answer = c.call("login", {"login": "4" + "A" * 94, "pass": "x", "agent": "XMRig/6.21.0", "algo": ["rx/0"]})
result = answer.get("result") or {}
c.session, c.job = result.get("id"), result.get("job") or {}
end = time.time() + 45
while time.time() < end:
    blob = bytes.fromhex(c.job.get("blob", "00" * 76))
    nonce = int.from_bytes(os.urandom(3), "little")
    turn = time.time() + 6
    best = b"\xff" * 32
    while time.time() < turn:
        nonce += 1
        work = blob[:39] + nonce.to_bytes(4, "little") + blob[43:]
        digest = hashlib.blake2b(hashlib.sha3_256(work).digest() * 64, digest_size=32).digest()
        if digest[::-1] < best:
            best, found = digest[::-1], nonce
    try:
        c.call("submit", {"id": c.session, "job_id": c.job.get("job_id"), "nonce": "%08x" % found, "result": best.hex()})
    except (OSError, ValueError):
        break
