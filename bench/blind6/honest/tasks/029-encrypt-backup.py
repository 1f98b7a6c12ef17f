import argparse
import getpass
import os
from pathlib import Path
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

ap = argparse.ArgumentParser(description="encrypt or decrypt one file with a passphrase")
ap.add_argument("mode", choices=["enc", "dec"])
ap.add_argument("src", type=Path)
ap.add_argument("dst", type=Path)
a = ap.parse_args()
pw = getpass.getpass().encode()
kdf = lambda salt: Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(pw)
b = a.src.read_bytes()
if a.mode == "enc":
    salt, nonce = os.urandom(16), os.urandom(12)
    a.dst.write_bytes(salt + nonce + AESGCM(kdf(salt)).encrypt(nonce, b, None))
else:
    a.dst.write_bytes(AESGCM(kdf(b[:16])).decrypt(b[16:28], b[28:], None))
