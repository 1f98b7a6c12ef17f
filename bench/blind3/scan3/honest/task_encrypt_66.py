import getpass
import sys
from base64 import urlsafe_b64encode
from os import urandom
from pathlib import Path

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

path = Path(sys.argv[1])
salt = urandom(16)
key = urlsafe_b64encode(Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(getpass.getpass().encode()))
target = path.with_suffix(path.suffix + ".enc")
target.write_bytes(salt + Fernet(key).encrypt(path.read_bytes()))
print("wrote", target, "- the original stays")
