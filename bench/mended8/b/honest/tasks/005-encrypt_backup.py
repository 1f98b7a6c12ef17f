import argparse
import getpass
import io
import os
import tarfile
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt


def derive(password: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(password.encode())


def backup(src: Path, dest: Path, password: str) -> None:
    buf = io.BytesIO()
    with tarfile.open(fileobj=buf, mode="w:xz") as tar:
        tar.add(src, arcname=src.name)
    salt, nonce = os.urandom(16), os.urandom(12)
    dest.write_bytes(salt + nonce + AESGCM(derive(password, salt)).encrypt(nonce, buf.getvalue(), None))


def restore(archive: Path, dest: Path, password: str) -> None:
    raw = archive.read_bytes()
    plain = AESGCM(derive(password, raw[:16])).decrypt(raw[16:28], raw[28:], None)
    with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
        tar.extractall(dest, filter="data")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("mode", choices=["backup", "restore"])
    ap.add_argument("src", type=Path)
    ap.add_argument("dest", type=Path)
    ns = ap.parse_args()
    {"backup": backup, "restore": restore}[ns.mode](ns.src, ns.dest, getpass.getpass())
