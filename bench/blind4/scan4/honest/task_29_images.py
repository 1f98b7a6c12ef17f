# thumbnails and removal of EXIF data
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from PIL import Image, ImageOps

OUT = Path("thumbs")


def thumb(p: Path) -> str:
    with Image.open(p) as im:
        im = ImageOps.exif_transpose(im).convert("RGB")
        im.thumbnail((320, 320))
        im.save(OUT / (p.stem + ".webp"), quality=80)
    return p.name


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    with ProcessPoolExecutor() as ex:
        for n in ex.map(thumb, sorted(Path("photos").glob("*.jp*g"))):
            print(n)
