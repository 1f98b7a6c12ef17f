"""vault.py enc|dec FILE: keep a private copy of a file with a passphrase."""
import base64
import getpass
import os
import sys
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt


def box(pw: str, salt: bytes) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(pw.encode())))


def main(mode, path):
    pw = getpass.getpass("Passphrase: ")
    raw = open(path, "rb").read()
    if mode == "enc":
        if pw != getpass.getpass("Again: "):
            sys.exit("passphrases differ")
        salt = os.urandom(16)
        with open(path + ".enc", "xb") as fh:
            fh.write(salt + box(pw, salt).encrypt(raw))
        print("wrote", path + ".enc", "- the original is kept")
    else:
        try:
            sys.stdout.buffer.write(box(pw, raw[:16]).decrypt(raw[16:]))
        except InvalidToken:
            sys.exit("wrong passphrase")


main(*sys.argv[1:3])
