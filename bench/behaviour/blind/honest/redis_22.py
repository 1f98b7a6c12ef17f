# class: database; possible: low medium; style: queue worker that starts a fixed program per job
import json
import socket
import subprocess
import sys

s = socket.create_connection(("db.good.test", 6379))
f = s.makefile("rb")


def lpop(name):
    s.sendall(b"*2\r\n$4\r\nLPOP\r\n$%d\r\n%s\r\n" % (len(name), name))
    n = int(f.readline()[1:])
    return None if n < 0 else f.read(n + 2)[:-2]


while job := lpop(b"jobs"):
    numbers = json.loads(job)["numbers"]
    out = subprocess.run([sys.executable, "-c", "import sys; print(sum(map(int, sys.argv[1:])))", *map(str, numbers)],
        capture_output=True, text=True)
    print(out.stdout.strip())
