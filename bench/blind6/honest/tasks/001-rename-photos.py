import argparse
from datetime import datetime
from pathlib import Path

ap = argparse.ArgumentParser()
ap.add_argument("dir", type=Path)
ap.add_argument("--dry-run", action="store_true")
a = ap.parse_args()
for p in sorted(a.dir.glob("*.jp*g")):
    new = p.with_name(datetime.fromtimestamp(p.stat().st_mtime).strftime("%Y%m%d_%H%M%S") + p.suffix.lower())
    if new.exists():
        continue
    print(p.name, "->", new.name)
    if not a.dry_run:
        p.rename(new)
