"""Rename photos to YYYYMMDD-HHMMSS.jpg by their EXIF date. Dry run unless --apply."""
import argparse
from datetime import datetime
from pathlib import Path

from PIL import Image

TAKEN = 36867


def taken(path):
    with Image.open(path) as im:
        raw = im.getexif().get_ifd(0x8769).get(TAKEN)
    return datetime.strptime(raw, "%Y:%m:%d %H:%M:%S") if raw else None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("folder", type=Path)
    ap.add_argument("--apply", action="store_true")
    args = ap.parse_args()
    for p in sorted(args.folder.glob("*.jp*g")):
        when = taken(p)
        if not when:
            print("no date:", p.name)
            continue
        new = p.with_name(f"{when:%Y%m%d-%H%M%S}{p.suffix.lower()}")
        n = 1
        while new.exists() and new != p:
            new = new.with_stem(f"{when:%Y%m%d-%H%M%S}-{n}")
            n += 1
        print(p.name, "->", new.name)
        if args.apply:
            p.rename(new)


if __name__ == "__main__":
    main()
