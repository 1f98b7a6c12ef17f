import argparse, base64, getpass, os, pathlib
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

MAGIC = b"NOTE1"

def key(pw, salt):
    return base64.urlsafe_b64encode(Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(pw.encode()))

def lock(path):
    pw = getpass.getpass("Password: ")
    if pw != getpass.getpass("Again: "):
        raise SystemExit("passwords differ")
    salt = os.urandom(16)
    out = path.with_suffix(path.suffix + ".enc")
    out.write_bytes(MAGIC + salt + Fernet(key(pw, salt)).encrypt(path.read_bytes()))
    print("wrote", out, "(the original was left in place)")

def show(path):
    raw = path.read_bytes()
    if not raw.startswith(MAGIC):
        raise SystemExit("not a notes file")
    try:
        print(Fernet(key(getpass.getpass("Password: "), raw[5:21])).decrypt(raw[21:]).decode())
    except InvalidToken:
        raise SystemExit("wrong password")

p = argparse.ArgumentParser()
p.add_argument("action", choices=["lock", "show"])
p.add_argument("file", type=pathlib.Path)
a = p.parse_args()
{"lock": lock, "show": show}[a.action](a.file)
