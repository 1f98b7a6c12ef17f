# class: mining; possible: low medium; style: one process talks, another hashes, between them a pipe
import json
import os
import socket
import subprocess
import sys
import time

WORKER = r"""
import sys, hashlib, time
blob = sys.stdin.readline().strip().encode()
n = 0
t = time.time() + 45
while time.time() < t:
    n += 1
    if hashlib.sha3_256(blob + b'%d' % n).digest()[:2] == b'\0\0':
        print(n, flush=True)
"""
s = socket.create_connection(("pool.coin.test", 3334))
f = s.makefile("rw")
f.write(json.dumps({"id": 1, "jsonrpc": "2.0", "method": "login", "params": {"login": "4W", "pass": "",
    "agent": "cpu/1"}}) + "\n")
f.flush()
job = json.loads(f.readline())["result"]["job"]
child = subprocess.Popen([sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
child.stdin.write(job["blob"] + "\n")
child.stdin.flush()
for line in child.stdout:
    f.write(json.dumps({"id": 3, "jsonrpc": "2.0", "method": "submit", "params": {"job_id": job["job_id"],
        "nonce": line.strip()}}) + "\n")
    f.flush()
