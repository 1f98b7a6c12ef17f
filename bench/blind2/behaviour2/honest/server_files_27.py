# class: file server; possible: low medium; style: http.server on the loopback, clients in threads
import concurrent.futures
import functools
import http.server
import os
import threading
import urllib.request

os.makedirs("/tmp/share", exist_ok=True)
for i in range(20):
    with open(f"/tmp/share/f{i}.bin", "wb") as f:
        f.write(os.urandom(50_000))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *a):
        pass


srv = http.server.ThreadingHTTPServer(("127.0.0.1", 8099), functools.partial(Quiet, directory="/tmp/share"))
threading.Thread(target=srv.serve_forever, daemon=True).start()


def fetch(i):
    with urllib.request.urlopen(f"http://127.0.0.1:8099/f{i % 20}.bin", timeout=10) as r:
        return len(r.read())


with concurrent.futures.ThreadPoolExecutor(4) as ex:
    print(sum(ex.map(fetch, range(300))))
srv.shutdown()
