"""Offer to trash downloads that have not been touched for N days."""
import sys
import time
from pathlib import Path
from send2trash import send2trash

days = int(sys.argv[1]) if len(sys.argv) > 1 else 90
limit = time.time() - days * 86400
old = [p for p in (Path.home() / "Downloads").iterdir() if max(p.stat().st_mtime, p.stat().st_atime) < limit and not p.name.startswith(".")]
if not old:
    sys.exit("Nothing older than %d days." % days)
total = 0
for p in old:
    size = sum(f.stat().st_size for f in p.rglob("*") if f.is_file()) if p.is_dir() else p.stat().st_size
    total += size
    print(f"{size / 1e6:9.1f} MB  {p.name}")
if input(f"Move {len(old)} items ({total / 1e9:.2f} GB) to trash? [y/N] ").lower() == "y":
    for p in old:
        send2trash(str(p))
