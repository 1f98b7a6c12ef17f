import argparse
from pathlib import Path

from PIL import Image

DATE = 36867


def new_name(p):
    with Image.open(p) as im:
        taken = im.getexif().get_ifd(0x8769).get(DATE)
    if not taken:
        return None
    return taken.replace(":", "-", 2).replace(":", "").replace(" ", "_") + p.suffix.lower()


def main():
    ap = argparse.ArgumentParser(description="rename photos by date")
    ap.add_argument("folder", type=Path)
    ap.add_argument("-n", "--dry-run", action="store_true")
    a = ap.parse_args()
    for p in sorted(a.folder.glob("*.[jJ][pP]*[gG]")):
        n = new_name(p)
        if not n or (p.parent / n).exists():
            continue
        print(p.name, "->", n)
        if not a.dry_run:
            p.rename(p.parent / n)


main()
