# class: network, writes a server, starts it, asks it; style: agent
cat > server.py <<'EOF'
from http.server import HTTPServer, BaseHTTPRequestHandler
import json
class H(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"path": self.path}).encode()
        self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers()
        self.wfile.write(body)
HTTPServer(("127.0.0.1", 8765), H).serve_forever()
EOF
python3 server.py & 
sleep 1
curl -s localhost:8765/a/b | jq .
kill %1
