# what: a miner in Python: subscribes at a pool, whatever its port, and hashes on every core it may use
# server: pool
import hashlib, json, os, socket, struct, time

host, port = os.environ["SERVER"].split(":")
pool = socket.create_connection((host, int(port)))
for number, method in enumerate(("mining.subscribe", "mining.authorize"), 1):
    pool.sendall(json.dumps({"id": number, "method": method, "params": ["worker.1", "x"]}).encode() + b"\n")
job = pool.recv(4096)
print("begun", flush=True)
is_child = any(os.fork() == 0 for _ in range(os.cpu_count() - 1))  # any() stops a child from forking on
until, nonce = time.monotonic() + float(os.environ.get("BUSY", "60")), 0
while time.monotonic() < until:
    for nonce in range(nonce, nonce + 5000):
        hashlib.sha256(hashlib.sha256(job + struct.pack("<Q", nonce)).digest()).digest()
if not is_child:
    print("done")
