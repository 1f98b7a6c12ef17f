# finds a free port
import socket
for port in range(8000, 8100):
    with socket.socket() as s:
        if s.connect_ex(("localhost", port)) != 0:
            print(port); break
