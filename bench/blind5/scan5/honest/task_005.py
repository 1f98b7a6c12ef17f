"""Rename photos by the date they were taken."""
import datetime, pathlib
from PIL import Image
for p in pathlib.Path("photos").glob("*.jpg"):
    when = Image.open(p).getexif().get(306)
    if when:
        d = datetime.datetime.strptime(when, "%Y:%m:%d %H:%M:%S")
        p.rename(p.with_name(d.strftime("%Y-%m-%d_%H%M%S.jpg")))
