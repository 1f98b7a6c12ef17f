import os
from datetime import datetime
from pathlib import Path

dry = os.environ.get("DRY_RUN", "1") == "1"
for p in sorted(Path("photos").glob("IMG_*.jpg")):
    t = datetime.fromtimestamp(p.stat().st_mtime)
    new = p.with_name(f"{t:%Y-%m-%d_%H%M%S}_{p.stem[4:]}.jpg")
    print(p.name, "->", new.name)
    if not dry:
        p.rename(new)
