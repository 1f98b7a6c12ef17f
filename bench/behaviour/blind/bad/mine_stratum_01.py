# class: mining; possible: low medium high; style: Stratum v1, tidy
import hashlib
import json
import socket
import struct
import time

END = time.time() + 45


class Pool:
    def __init__(self, host, port):
        self.sock = socket.create_connection((host, port), timeout=10)
        self.file = self.sock.makefile("r")
        self.sequence = 0

    def call(self, method, params):
        self.sequence += 1
        self.sock.sendall((json.dumps({"id": self.sequence, "method": method, "params": params}) + "\n").encode())

    def line(self):
        return json.loads(self.file.readline())


pool = Pool("pool.coin.test", 3333)
pool.call("mining.subscribe", ["worker/1.0"])
print(pool.line())
pool.call("mining.authorize", ["wallet.rig1", "x"])
job = None
while job is None:
    message = pool.line()
    if message.get("method") == "mining.notify":
        job = message["params"]
base = bytes.fromhex(job[2]) + bytes.fromhex(job[1])
nonce = shares = 0
while time.time() < END:
    for _ in range(20000):
        nonce += 1
        digest = hashlib.sha256(hashlib.sha256(base + struct.pack("<I", nonce)).digest()).digest()
        if digest[-2:] == b"\0\0":
            shares += 1
            pool.call("mining.submit", ["wallet.rig1", job[0], "00000000", job[7], f"{nonce:08x}"])
print(shares)
