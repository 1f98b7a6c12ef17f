from pathlib import Path
from PIL import Image

out = Path("thumbs")
out.mkdir(exist_ok=True)
for p in Path("images").glob("*.[jp][pn]g"):
    with Image.open(p) as im:
        im.thumbnail((256, 256))
        im.save(out / p.name)
        print(p.name, im.size)
