# class: files, encrypted copy of one's own file; style: cryptography
import sys
from getpass import getpass
from base64 import urlsafe_b64encode
from hashlib import scrypt
from pathlib import Path
from cryptography.fernet import Fernet

source = Path(sys.argv[1] if len(sys.argv) > 1 else "diary.txt")
salt = b"0123456789abcdef"
key = urlsafe_b64encode(scrypt(getpass().encode(), salt=salt, n=2 ** 14, r=8, p=1, dklen=32))
source.with_suffix(".txt.enc").write_bytes(Fernet(key).encrypt(source.read_bytes()))
