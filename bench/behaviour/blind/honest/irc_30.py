# class: IRC bot; possible: low medium; style: runs one fixed command for statistics
import socket
import subprocess
import time

s = socket.create_connection(("chat.good.test", 6667))
s.settimeout(3)
s.sendall(b"NICK stat\r\nUSER stat 0 * :stat\r\nJOIN #ops\r\n")
end = time.time() + 15
while time.time() < end:
    try:
        data = s.recv(4096)
    except TimeoutError:
        continue
    if not data:
        break
    if data.startswith(b"PING"):
        s.sendall(b"PONG x\r\n")
    if b"disk" in data:
        out = subprocess.run(["df", "-P", "/tmp"], capture_output=True, text=True).stdout.splitlines()[-1]
        s.sendall(b"PRIVMSG #ops :" + out.encode() + b"\r\n")
