"""Remove __pycache__ and build output."""
import shutil
from pathlib import Path

for pat in ("**/__pycache__", "build", "dist", "*.egg-info"):
    for d in Path(".").glob(pat):
        if d.is_dir():
            print("rm", d)
            shutil.rmtree(d)
