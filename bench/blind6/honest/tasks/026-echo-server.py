import socket
import threading

srv = socket.create_server(("127.0.0.1", 0))


def serve():
    conn, _ = srv.accept()
    with conn:
        while data := conn.recv(1024):
            conn.sendall(data.upper())


threading.Thread(target=serve, daemon=True).start()
with socket.create_connection(srv.getsockname()) as c:
    c.sendall(b"hello")
    print(c.recv(100))
