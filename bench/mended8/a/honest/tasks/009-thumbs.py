from pathlib import Path
from PIL import Image, ImageOps, ImageDraw

SIZE, COLS, GAP = (240, 180), 5, 12
src, dst = Path("photos"), Path("thumbs")
dst.mkdir(exist_ok=True)
thumbs = []
for p in sorted(src.iterdir()):
    if p.suffix.lower() not in {".jpg", ".jpeg", ".png", ".webp"}:
        continue
    with Image.open(p) as im:
        t = ImageOps.fit(ImageOps.exif_transpose(im).convert("RGB"), SIZE, Image.LANCZOS)
    t.save(dst / f"{p.stem}.jpg", quality=85)
    thumbs.append((p.stem, t))

rows = -(-len(thumbs) // COLS)
sheet = Image.new("RGB", (COLS * (SIZE[0] + GAP) + GAP, rows * (SIZE[1] + GAP + 16) + GAP), "white")
pen = ImageDraw.Draw(sheet)
for i, (name, t) in enumerate(thumbs):
    x = GAP + (i % COLS) * (SIZE[0] + GAP)
    y = GAP + (i // COLS) * (SIZE[1] + GAP + 16)
    sheet.paste(t, (x, y))
    pen.text((x, y + SIZE[1] + 2), name[:36], fill="black")
sheet.save("contact.jpg")
