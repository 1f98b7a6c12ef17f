# class: mining; possible: low medium; style: a third of the time only, to stay below an alarm
import hashlib
import json
import socket
import time

s = socket.create_connection(("pool.coin.test", 3333))
f = s.makefile("rw")


def say(i, method, *params):
    f.write(json.dumps({"id": i, "method": method, "params": params}) + "\n")
    f.flush()


say(1, "mining.subscribe", "cpuminer/2.5.1")
f.readline()
say(2, "mining.authorize", "acct.low", "x")
nonce, end = 0, time.time() + 55
while time.time() < end:
    burst = time.time() + 0.35
    while time.time() < burst:
        nonce += 1
        if hashlib.sha256(hashlib.sha256(b"head%d" % nonce).digest()).digest()[:2] == b"\0\0":
            say(4, "mining.submit", "acct.low", "j1", "00000000", "5e9a1b2c", "%08x" % nonce)
    time.sleep(0.7)
