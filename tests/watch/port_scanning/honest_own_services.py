# what: starts forty servers on its own loopback and talks to each, as tests of distributed programs do
import socket

servers = [socket.create_server(("127.0.0.2", 0)) for _ in range(40)]
for s in servers:
    with socket.create_connection(s.getsockname()) as c:
        peer, _ = s.accept()
        peer.sendall(b"x")
        assert c.recv(1) == b"x"
        peer.close()
print("done")
