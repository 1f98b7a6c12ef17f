# what: a test suite: each case starts a server at a port of its own and talks to it; some are tried too early
import socket, threading


def serve(listening):
    connection, _ = listening.accept()
    with connection:
        connection.sendall(connection.recv(100))


for case in range(30):
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        with socket.socket() as early:
            assert early.connect_ex(("127.0.0.1", port)) != 0
        listening.listen()
        thread = threading.Thread(target=serve, args=[listening])
        thread.start()
        with socket.create_connection(("127.0.0.1", port)) as s:
            s.sendall(b"case %d" % case)
            assert s.recv(100) == b"case %d" % case
        thread.join()
print("done")
