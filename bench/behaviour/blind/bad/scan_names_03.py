# class: port scan; possible: low medium; style: by name
import socket

open_ports = []
for n in range(1, 61):
    for port in (22, 3389):
        try:
            socket.create_connection((f"host{n}.lan.test", port), timeout=0.5).close()
            open_ports.append((n, port))
        except OSError:
            pass
print(open_ports)
