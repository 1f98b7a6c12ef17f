# what: a training loop that reports each step to a dashboard, and shows one of its own on the loopback
# server: http
import http.client, http.server, json, os, socketserver, threading


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args):
        pass


own = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Page)
threading.Thread(target=own.serve_forever, daemon=True).start()
remote = http.client.HTTPConnection(os.environ["SERVER"], timeout=20)
weights = [0.0] * 50
for step in range(40):
    weights = [w + 0.1 * (1 - w) for w in weights]
    remote.request("POST", "/runs/1/log", body=json.dumps({"step": step, "loss": sum(1 - w for w in weights)}))
    assert remote.getresponse().read() == b"thanks"
    local = http.client.HTTPConnection("127.0.0.1", own.server_address[1], timeout=20)
    local.request("GET", "/")
    assert local.getresponse().read() == b"ok"
    local.close()
own.shutdown()
print("done")
