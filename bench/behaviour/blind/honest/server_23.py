# class: database; possible: low medium; style: a server of its own with several clients
import socketserver
import socket
import threading

store = {}


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            words = line.decode().split()
            if words[0] == "SET":
                store[words[1]] = words[2]
                self.wfile.write(b"OK\n")
            else:
                self.wfile.write((store.get(words[1], "-") + "\n").encode())


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


with Server(("127.0.0.1", 0), Handler) as srv:
    threading.Thread(target=srv.serve_forever, daemon=True).start()
    for client in range(6):
        with socket.create_connection(srv.server_address) as c:
            f = c.makefile("rw")
            for i in range(100):
                f.write(f"SET k{i} {client}\n")
                f.flush()
                f.readline()
    srv.shutdown()
print(len(store))
