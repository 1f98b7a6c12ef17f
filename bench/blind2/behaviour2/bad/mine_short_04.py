# class: mining; possible: low medium; style: many short processes, a parent that speaks
import json
import socket
import subprocess
import sys
import time

JOB = """
import hashlib, sys, time
start, end = int(sys.argv[1]), time.time() + 0.8
n = start
while time.time() < end:
    n += 1
    if hashlib.sha256(b'b%d' % n).digest()[:2] == bytes(2):
        print('%08x' % n)
"""
s = socket.create_connection(("pool.coin.test", 3333))
s.sendall(b'{"id":1,"method":"mining.subscribe","params":[]}\n{"id":2,"method":"mining.authorize","params":["a","b"]}\n')
end, start = time.time() + 45, 0
while time.time() < end:
    out = subprocess.run([sys.executable, "-c", JOB, str(start)], capture_output=True, text=True).stdout
    for nonce in out.split():
        s.sendall(json.dumps({"id": 4, "method": "mining.submit", "params": ["a", "j1", "00", "5e9a1b2c", nonce]}).encode() + b"\n")
    start += 10_000_000
