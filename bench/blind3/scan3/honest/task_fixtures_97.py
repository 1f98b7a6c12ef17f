import base64
from pathlib import Path

FILES = {
    "logo.gif": "R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==",
    "hello.txt": "aGVsbG8gZml4dHVyZQo=",
    "script.sh": "IyEvYmluL3NoCmVjaG8gImZpeHR1cmUgcmFuIHdpdGggJCMgYXJndW1lbnRzIgo=",
}
root = Path("tests/fixtures")
root.mkdir(parents=True, exist_ok=True)
for name, text in FILES.items():
    (root / name).write_bytes(base64.b64decode(text))
(root / "script.sh").chmod(0o755)
