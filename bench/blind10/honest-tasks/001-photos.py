"""Sort photos into folders by the month in which they were taken.

The date is read from the EXIF block; the modification time of the file is
the fallback.  Nothing is overwritten: on a name clash a counter is added.
"""
import argparse
import shutil
from datetime import datetime
from pathlib import Path

from PIL import Image

DATE_TAG = 36867


def taken(path: Path) -> datetime:
    """Return the moment a photo was taken."""
    try:
        with Image.open(path) as img:
            raw = img.getexif().get_ifd(0x8769).get(DATE_TAG)
        return datetime.strptime(raw, "%Y:%m:%d %H:%M:%S")
    except (TypeError, ValueError, OSError):
        return datetime.fromtimestamp(path.stat().st_mtime)


def free_name(target: Path) -> Path:
    """Return ``target`` or the first free variation of it."""
    n, out = 1, target
    while out.exists():
        out = target.with_stem(f"{target.stem}-{n}")
        n += 1
    return out


def main() -> None:
    """Entry point."""
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("source", type=Path)
    ap.add_argument("target", type=Path)
    ap.add_argument("--move", action="store_true")
    a = ap.parse_args()
    for p in sorted(a.source.rglob("*.[jJ][pP]*[gG]")):
        folder = a.target / taken(p).strftime("%Y-%m")
        folder.mkdir(parents=True, exist_ok=True)
        (shutil.move if a.move else shutil.copy2)(str(p), str(free_name(folder / p.name)))


if __name__ == "__main__":
    main()
