# class: mining; possible: low medium; style: XMRig JSON-RPC, two processes
import hashlib
import json
import os
import socket
import time

SECONDS = 45


def hashing(out, blob, start):
    end = time.time() + SECONDS
    n = start
    while time.time() < end:
        n += 2
        h = hashlib.blake2b(blob + n.to_bytes(4, "little"))
        for _ in range(50):
            h = hashlib.blake2b(h.digest())
        if h.digest()[0] == 0 and h.digest()[1] < 8:
            os.write(out, f"{n:08x} {h.hexdigest()[:64]}\n".encode())


def main():
    s = socket.create_connection(("pool.coin.test", 3334))
    f = s.makefile("rw")

    def send(obj):
        f.write(json.dumps({"jsonrpc": "2.0", **obj}) + "\n")
        f.flush()

    send({"id": 1, "method": "login", "params": {"login": "4WALLET", "pass": "x", "agent": "XMRig/6.21.1",
                                                 "algo": ["rx/0", "cn/r"]}})
    answer = json.loads(f.readline())["result"]
    come, go = os.pipe()
    for i in range(2):
        if os.fork() == 0:
            hashing(go, bytes.fromhex(answer["job"]["blob"]), i)
            os._exit(0)
    os.close(go)
    for line in os.fdopen(come):
        nonce, result = line.split()
        send({"id": 2, "method": "submit", "params": {"id": answer["id"], "job_id": answer["job"]["job_id"],
                                                      "nonce": nonce, "result": result}})


if __name__ == "__main__":
    main()
