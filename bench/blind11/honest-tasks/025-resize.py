from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
import sys

from PIL import Image, ImageOps

SRC, DST = Path(sys.argv[1]), Path(sys.argv[2])
SIZE = (1600, 1600)


def one(p):
    out = DST / p.relative_to(SRC).with_suffix(".webp")
    out.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(p) as im:
        im = ImageOps.exif_transpose(im).convert("RGB")
        im.thumbnail(SIZE)
        im.save(out, quality=82)
    return out


if __name__ == "__main__":
    files = [p for p in SRC.rglob("*") if p.suffix.lower() in {".jpg", ".jpeg", ".png"}]
    with ProcessPoolExecutor() as ex:
        for n, out in enumerate(ex.map(one, files), 1):
            print(f"{n}/{len(files)} {out}")
