# class: files, encrypts one's own export before upload; style: tidy
import getpass
import os
from pathlib import Path

from cryptography.fernet import Fernet

key_file = Path("~/.config/export.key").expanduser()
if not key_file.exists():
    key_file.parent.mkdir(parents=True, exist_ok=True)
    key_file.write_bytes(Fernet.generate_key())
    os.chmod(key_file, 0o600)
f = Fernet(key_file.read_bytes())
src = Path("export/customers.csv")
dst = src.with_suffix(".csv.enc")
dst.write_bytes(f.encrypt(src.read_bytes()))
print("encrypted by", getpass.getuser(), "->", dst)
