# what: shell commands whose standard streams are a socketpair of the program's own
# network: none
import socket, subprocess

ours, theirs = socket.socketpair()
p = subprocess.Popen(["/bin/sh"], stdin=theirs, stdout=theirs)
theirs.close()
ours.sendall(b"echo made-$((40+2)); exit\n")
assert ours.recv(100) == b"made-42\n"
p.wait()
print("done")
