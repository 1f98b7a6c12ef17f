"""Lesson 4: authenticated encryption. Seal and open one file with a passphrase.

The key is derived with scrypt, the salt is stored in front of the token.
The original stays where it is; deleting it is the reader's decision.
"""
import base64
import getpass
import os
import sys
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt


def key(passphrase: str, salt: bytes) -> bytes:
    raw = Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())
    return base64.urlsafe_b64encode(raw)


def seal(path: Path, passphrase: str) -> Path:
    salt = os.urandom(16)
    out = path.with_suffix(path.suffix + ".sealed")
    out.write_bytes(salt + Fernet(key(passphrase, salt)).encrypt(path.read_bytes()))
    return out


def unseal(path: Path, passphrase: str) -> bytes:
    blob = path.read_bytes()
    return Fernet(key(passphrase, blob[:16])).decrypt(blob[16:])


if __name__ == "__main__":
    mode, name = sys.argv[1:3]
    pw = getpass.getpass("Passphrase: ")
    if mode == "seal":
        print("written", seal(Path(name), pw))
    else:
        try:
            sys.stdout.buffer.write(unseal(Path(name), pw))
        except InvalidToken:
            sys.exit("wrong passphrase or damaged file")
