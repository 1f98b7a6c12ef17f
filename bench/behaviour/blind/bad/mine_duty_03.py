# class: mining; possible: low medium high; style: Stratum v1 at a third of the time
import hashlib, json, socket, time
s = socket.create_connection(("pool.coin.test", 3333)); f = s.makefile("rw")
def tell(m, p):
    f.write(json.dumps({"id": 4, "method": m, "params": p}) + "\n"); f.flush()
tell("mining.subscribe", []); tell("mining.authorize", ["w.low", "x"])
job = None
while not job:
    m = json.loads(f.readline())
    if m.get("method") == "mining.notify": job = m["params"]
t0 = time.time(); n = 0; last = 0
while time.time() - t0 < 60:
    a = time.time()
    while time.time() - a < 0.3:
        n += 1
        d = hashlib.sha256(hashlib.sha256(bytes.fromhex(job[1]) + n.to_bytes(4, "big")).digest()).digest()
        if d[-2:] == b"\0\0" and time.time() - last > 3:
            last = time.time(); tell("mining.submit", ["w.low", job[0], "00000001", job[7], "%08x" % n])
    time.sleep(0.7)
