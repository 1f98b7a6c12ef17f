# class: database; possible: low medium; style: job queue in Redis, jobs are computed, not run
import json
import socket

s = socket.create_connection(("db.good.test", 6379))
f = s.makefile("rb")


def call(*words):
    s.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w),
        w) for w in (str(w).encode() for w in words)))
    line = f.readline().rstrip()
    if line[:1] == b"$":
        n = int(line[1:])
        return None if n < 0 else f.read(n + 2)[:-2]
    return line


while (job := call("LPOP", "jobs")) is not None:
    numbers = json.loads(job)["numbers"]
    call("RPUSH", "done", json.dumps({"sum": sum(numbers)}))
print("no more jobs")
