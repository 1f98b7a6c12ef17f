#!/bin/bash
set -eu
python3 - <<'PY' &
from http.server import BaseHTTPRequestHandler, HTTPServer
import json
class H(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"path": self.path, "items": [1, 2, 3]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *a):
        pass
HTTPServer(("127.0.0.1", 8765), H).serve_forever()
PY
srv=$!
trap 'kill $srv' EXIT
for _ in 1 2 3 4 5; do curl -sf http://127.0.0.1:8765/ >/dev/null && break; sleep 0.3; done
API_URL=http://127.0.0.1:8765 npm test
