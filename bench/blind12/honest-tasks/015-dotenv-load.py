import os
import sys
from pathlib import Path

def load(path=".env"):
    for raw in Path(path).read_text().splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        key, _, value = line.partition("=")
        os.environ.setdefault(key.strip(), value.strip().strip("'\""))

load()
missing = [k for k in ("DATABASE_URL", "SECRET_KEY") if k not in os.environ]
sys.exit(f"missing: {missing}" if missing else 0)
