# class: server; possible: low medium; style: threaded HTTP on the loopback, forty clients, then stops
import concurrent.futures
import http.server
import json
import threading
import urllib.request


class App(http.server.BaseHTTPRequestHandler):
    store, lock = {}, threading.Lock()

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.lock:
            self.store[self.path] = body
        self.send_response(204)
        self.end_headers()

    def do_GET(self):
        body = self.store.get(self.path, b"null")
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *a):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = "http://127.0.0.1:%d/" % server.server_port


def client(n):
    urllib.request.urlopen(urllib.request.Request(base + str(n), json.dumps({"n": n}).encode(), method="PUT")).close()
    return json.load(urllib.request.urlopen(base + str(n)))["n"]


with concurrent.futures.ThreadPoolExecutor(40) as pool:
    print(sum(pool.map(client, range(200))))
server.shutdown()
