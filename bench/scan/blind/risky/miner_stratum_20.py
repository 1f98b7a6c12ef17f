# class: miner, own client; style: tidy with hashlib
import hashlib
import json
import socket
import struct
import binascii

s = socket.create_connection(("pool.example", 3333))
f = s.makefile("rw")


def call(method, *params):
    f.write(json.dumps({"id": 1, "method": method, "params": list(params)}) + "\n")
    f.flush()


call("mining.subscribe", "cpuminer/2.5")
call("mining.authorize", "worker.1", "x")
extranonce = ""
for raw in f:
    msg = json.loads(raw)
    if msg.get("method") != "mining.notify":
        continue
    job, prev, cb1, cb2, branch, version, nbits, ntime, _ = msg["params"]
    coinbase = binascii.unhexlify(cb1 + extranonce + "00000000" + cb2)
    root = hashlib.sha256(hashlib.sha256(coinbase).digest()).digest()
    for nonce in range(2 ** 32):
        header = binascii.unhexlify(version + prev) + root + binascii.unhexlify(ntime + nbits) + struct.pack("<L",
            nonce)
        if hashlib.sha256(hashlib.sha256(header).digest()).digest().endswith(b"\0\0\0\0"):
            call("mining.submit", "worker.1", job, "00000000", ntime, f"{nonce:08x}")
            break
