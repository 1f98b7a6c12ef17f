# class: webhook server; possible: low medium; style: receives, starts a build
import http.server
import subprocess
import threading
import urllib.request


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        out = subprocess.run(["sh", "-c", "cd /tmp && echo building && ls | wc -l"], capture_output=True).stdout
        self.send_response(200)
        self.end_headers()
        self.wfile.write(out + body[:10])

    def log_message(self, *args):
        pass


srv = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
threading.Thread(target=srv.serve_forever, daemon=True).start()
for i in range(5):
    print(urllib.request.urlopen(f"http://127.0.0.1:{srv.server_port}/", b'{"ref": "main"}').read())
