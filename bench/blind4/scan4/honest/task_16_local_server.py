# small API on localhost for development
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import json

TODOS = []


class Api(BaseHTTPRequestHandler):
    def _send(self, code, obj):
        body = json.dumps(obj).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self._send(200, TODOS)

    def do_POST(self):
        n = int(self.headers.get("Content-Length", 0))
        TODOS.append(json.loads(self.rfile.read(n)))
        self._send(201, TODOS[-1])


ThreadingHTTPServer(("127.0.0.1", 8000), Api).serve_forever()
