import hashlib
import sys
import urllib.request
import zipfile
from pathlib import Path

URL = "https://data.university.example/sets/weather-2023.zip"
SHA256 = "6f3c0c5a3a8b4f3e8f0a7a2b1d9c4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d"
DATA = Path("data")


def download(url: str, dest: Path) -> Path:
    if dest.exists():
        return dest
    tmp = dest.with_suffix(".part")
    with urllib.request.urlopen(url, timeout=60) as r, tmp.open("wb") as f:
        while chunk := r.read(1 << 20):
            f.write(chunk)
            print(".", end="", flush=True)
    print()
    return tmp.rename(dest)


DATA.mkdir(exist_ok=True)
zip_path = download(URL, DATA / "weather.zip")
digest = hashlib.sha256(zip_path.read_bytes()).hexdigest()
if digest != SHA256:
    zip_path.unlink()
    sys.exit(f"checksum does not match: {digest}")

with zipfile.ZipFile(zip_path) as z:
    for info in z.infolist():
        target = (DATA / info.filename).resolve()
        if DATA.resolve() not in target.parents:
            sys.exit(f"odd path in archive: {info.filename}")
        z.extract(info, DATA)
        print(info.filename, info.file_size)
