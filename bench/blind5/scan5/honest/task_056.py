import socketserver
class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile: self.wfile.write(line.upper())
with socketserver.TCPServer(("localhost", 7777), Echo) as s: s.serve_forever()
