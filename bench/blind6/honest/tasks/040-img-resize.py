from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from PIL import Image, ImageOps

SRC, DST = Path("images"), Path("public/thumbs")


def thumb(p):
    with Image.open(p) as im:
        im = ImageOps.exif_transpose(im).convert("RGB")
        im.thumbnail((320, 320))
        out = DST / (p.stem + ".webp")
        im.save(out, quality=80)
    return out


if __name__ == "__main__":
    DST.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(2) as ex:
        for o in ex.map(thumb, SRC.glob("*.jpg")):
            print(o)
