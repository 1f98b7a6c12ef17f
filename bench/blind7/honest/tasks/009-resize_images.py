from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
import sys

from PIL import Image, ImageOps

SRC, DST = Path(sys.argv[1]), Path(sys.argv[2])
SIZES = (320, 800, 1600)


def one(p: Path):
    out = []
    with Image.open(p) as im:
        im = ImageOps.exif_transpose(im).convert("RGB")
        for s in SIZES:
            if im.width < s and s != SIZES[0]:
                continue
            c = im.copy()
            c.thumbnail((s, s * 4), Image.LANCZOS)
            t = DST / f"{p.stem}-{s}.webp"
            c.save(t, quality=82, method=6)
            out.append(t.name)
    return p.name, out


if __name__ == "__main__":
    DST.mkdir(parents=True, exist_ok=True)
    files = [p for p in SRC.iterdir() if p.suffix.lower() in {".jpg", ".jpeg", ".png"}]
    with ProcessPoolExecutor() as ex:
        for name, made in ex.map(one, files):
            print(name, "->", ", ".join(made))
