# what: a web server of the sandbox's own that runs one fixed command when a hook calls it
# network: inside
import http.client, http.server, subprocess, threading

class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        out = subprocess.run("echo deployed | tr a-z A-Z", shell=True, capture_output=True).stdout
        self.send_response(200)
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
threading.Thread(target=server.serve_forever, daemon=True).start()
for branch in ("main", "next", "a-long-name-of-a-branch"):
    c = http.client.HTTPConnection(*server.server_address)
    c.request("POST", "/hook", branch)
    assert c.getresponse().read() == b"DEPLOYED\n"
print("done")
