# class: network, server and client on the loopback; style: exercise
import socket, threading
srv = socket.socket(); srv.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
srv.bind(("127.0.0.1", 0)); srv.listen(5)
def serve():
    conn, addr = srv.accept()
    with conn:
        while data := conn.recv(1024):
            conn.sendall(data.upper())
threading.Thread(target=serve, daemon=True).start()
c = socket.create_connection(srv.getsockname())
c.sendall(b"hello"); print(c.recv(100)); c.close()
