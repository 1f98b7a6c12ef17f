# class: notebook; possible: low medium; style: a server on the loopback whose client runs cells and a terminal
import http.server
import json
import subprocess
import threading
import urllib.request

space = {}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *a):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/eval":
            out = repr(eval(body["code"], space))
        else:
            out = subprocess.run(["sh", "-c", body["command"]], capture_output=True, text=True, timeout=10).stdout
        data = out.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


srv = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=srv.serve_forever, daemon=True).start()
base = "http://127.0.0.1:%d" % srv.server_port
for path, body in (("/eval", {"code": "2**100"}), ("/terminal", {"command": "ls /tmp"}), ("/eval", {"code": "[i*i for i in range(9)]"}),
                   ("/terminal", {"command": "echo hello | tr a-z A-Z"}), ("/terminal", {"command": "uname -s; date +%Y"})):
    with urllib.request.urlopen(urllib.request.Request(base + path, json.dumps(body).encode()), timeout=10) as r:
        print(r.read().decode().strip())
