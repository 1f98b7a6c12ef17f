# downloads a data set and checks its digest
import hashlib
import pathlib
import urllib.request

URL = "https://download.pytorch.org/tutorial/data.zip"
SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
dest = pathlib.Path("data/raw/data.zip")
dest.parent.mkdir(parents=True, exist_ok=True)
if not dest.exists():
    urllib.request.urlretrieve(URL, dest)
h = hashlib.sha256(dest.read_bytes()).hexdigest()
if h != SHA:
    dest.unlink()
    raise SystemExit(f"checksum mismatch: {h}")
