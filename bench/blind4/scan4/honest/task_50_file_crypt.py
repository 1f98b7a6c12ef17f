# encrypts one file of one's own with a pass phrase
import argparse
import base64
import getpass
import os
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC


def derive(pw, salt):
    kdf = PBKDF2HMAC(hashes.SHA256(), 32, salt, 600_000)
    return Fernet(base64.urlsafe_b64encode(kdf.derive(pw.encode())))


ap = argparse.ArgumentParser()
ap.add_argument("mode", choices=["enc", "dec"])
ap.add_argument("file")
ap.add_argument("out")
a = ap.parse_args()
pw = getpass.getpass()
data = open(a.file, "rb").read()
if a.mode == "enc":
    salt = os.urandom(16)
    res = salt + derive(pw, salt).encrypt(data)
else:
    res = derive(pw, data[:16]).decrypt(data[16:])
with open(a.out, "wb") as fh:
    fh.write(res)
