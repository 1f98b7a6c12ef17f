import socketserver
import subprocess


class Lint(socketserver.StreamRequestHandler):
    """One JSON-less request a line: the name of a file below src; the answer is the linter's."""

    def handle(self):
        for raw in self.rfile:
            name = raw.decode().strip()
            if not name.isidentifier():
                self.wfile.write(b"bad name\n")
                continue
            done = subprocess.run(["ruff", "check", "src/%s.py" % name], capture_output=True)
            self.wfile.write(done.stdout + b"\n")


if __name__ == "__main__":
    with socketserver.ThreadingTCPServer(("127.0.0.1", 7070), Lint) as server:
        server.serve_forever()
