# class: database; possible: low medium
import json, socket
class R:
    def __init__(s, h): s.k = socket.create_connection((h, 6379)); s.f = s.k.makefile("rb")
    def __call__(s, *a):
        s.k.sendall(b"*%d\r\n" % len(a) + b"".join(b"$%d\r\n%s\r\n" % (len(x), x) for x in map(str.encode, a)))
        h = s.f.readline()
        if h[:1] == b"$": n = int(h[1:]); return s.f.read(n + 2)[:-2] if n >= 0 else None
        return h[1:].strip()
r = R("db.good.test")
while (job := r("LPOP", "jobs")) is not None:
    nums = json.loads(job)["numbers"]; r("RPUSH", "results", json.dumps({"sum": sum(nums), "n": len(nums)}))
