import concurrent.futures
import pathlib

from PIL import Image, ImageOps

SRC, DST, SIDE = pathlib.Path("photos"), pathlib.Path("thumbs"), 320


def thumb(path):
    with Image.open(path) as im:
        im = ImageOps.exif_transpose(im)
        im.thumbnail((SIDE, SIDE))
        target = DST / path.relative_to(SRC).with_suffix(".webp")
        target.parent.mkdir(parents=True, exist_ok=True)
        im.save(target, quality=82)
    return path.stat().st_size, target.stat().st_size


with concurrent.futures.ProcessPoolExecutor() as pool:
    sizes = list(pool.map(thumb, [p for p in SRC.rglob("*") if p.suffix.lower() in {".jpg", ".jpeg", ".png"}]))
print("%d images, %.1f MB to %.1f MB" % (len(sizes), sum(a for a, _ in sizes) / 1e6, sum(b for _, b in sizes) / 1e6))
