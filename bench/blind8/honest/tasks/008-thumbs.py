from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from PIL import Image, ImageOps


def convert(src: Path, out: Path, size: int) -> str:
    with Image.open(src) as im:
        im = ImageOps.exif_transpose(im).convert("RGB")
        im.thumbnail((size, size))
        dst = out / (src.stem + ".webp")
        im.save(dst, quality=82)
    return f"{src.name} -> {dst.name}"


if __name__ == "__main__":
    ap = ArgumentParser()
    ap.add_argument("src", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--size", type=int, default=640)
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    files = [p for p in a.src.iterdir() if p.suffix.lower() in {".jpg", ".jpeg", ".png"}]
    with ProcessPoolExecutor() as ex:
        for line in ex.map(partial(convert, out=a.out, size=a.size), files):
            print(line)
