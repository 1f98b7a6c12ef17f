"""A file drop for the local network: GET lists, POST stores. Names are checked."""
import html
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

ROOT = Path("drop").resolve()
SAFE = re.compile(r"^[\w. -]{1,80}$")
LIMIT = 50 << 20


class Handler(BaseHTTPRequestHandler):
    def name(self):
        n = unquote(self.path.lstrip("/"))
        return n if SAFE.match(n) and not n.startswith(".") else None

    def do_GET(self):
        if self.path == "/":
            items = "".join(f"<li><a href='{html.escape(p.name)}'>{html.escape(p.name)}</a>" for p in sorted(ROOT.iterdir()))
            return self.reply(200, f"<ul>{items}</ul>".encode(), "text/html")
        n = self.name()
        if not n or not (ROOT / n).is_file():
            return self.reply(404, b"not found")
        self.reply(200, (ROOT / n).read_bytes(), "application/octet-stream")

    def do_POST(self):
        n, size = self.name(), int(self.headers.get("Content-Length", 0))
        if not n or size > LIMIT:
            return self.reply(400, b"bad name or too large")
        (ROOT / n).write_bytes(self.rfile.read(size))
        self.reply(201, b"stored")

    def reply(self, code, body, kind="text/plain"):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ROOT.mkdir(exist_ok=True)
ThreadingHTTPServer(("127.0.0.1", 8765), Handler).serve_forever()
