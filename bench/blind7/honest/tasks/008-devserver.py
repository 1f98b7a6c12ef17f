import functools
import http.server
import os
import sys
import threading
import time


def stamp(root):
    return max((os.stat(os.path.join(d, f)).st_mtime for d, _, fs in os.walk(root) for f in fs), default=0)


class Handler(http.server.SimpleHTTPRequestHandler):
    version = 0

    def do_GET(self):
        if self.path == "/__version":
            body = str(Handler.version).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        else:
            super().do_GET()


def watch(root):
    while True:
        Handler.version = stamp(root)
        time.sleep(0.5)


root = sys.argv[1] if len(sys.argv) > 1 else "public"
threading.Thread(target=watch, args=(root,), daemon=True).start()
srv = http.server.ThreadingHTTPServer(("127.0.0.1", 8000), functools.partial(Handler, directory=root))
print("http://127.0.0.1:8000/")
srv.serve_forever()
