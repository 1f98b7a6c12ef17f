# class: mining; possible: low medium high
"""A small RandomX-style worker."""
import hashlib, json, socket, struct, time

class Pool:
    def __init__(self, host, port):
        self.s = socket.create_connection((host, port), 10)
        self.f = self.s.makefile("rw")
        self.n = 0
    def call(self, method, **params):
        self.n += 1
        self.f.write(json.dumps({"id": self.n, "jsonrpc": "2.0", "method": method, "params": params}) + "\n")
        self.f.flush()
        return json.loads(self.f.readline())["result"]

pool = Pool("pool.coin.test", 3334)
got = pool.call("login", login="49f8k2xQ", **{"pass": "x"}, agent="XMRig/6.21.0", algo=["rx/0", "rx/wow"])
rig, job = got["id"], got["job"]
blob = bytearray.fromhex(job["blob"])
end, sent, nonce = time.time() + 48, 0, 0
while time.time() < end:
    nonce += 1
    blob[39:43] = struct.pack("<I", nonce)
    h = hashlib.blake2b(blob, digest_size=32).digest()
    for _ in range(20):
        h = hashlib.sha3_256(h).digest()
    if h[-1] == 0 and h[-2] < 8 and time.time() - sent > 2:
        sent = time.time()
        pool.call("submit", id=rig, job_id=job["job_id"], nonce=struct.pack("<I", nonce).hex(), result=h.hex())
