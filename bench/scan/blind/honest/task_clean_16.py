# class: files, cleaning of build products; style: pathlib
import shutil
from pathlib import Path

root = Path(__file__).resolve().parent
for pattern in ("**/__pycache__", "build", "dist", "*.egg-info", ".pytest_cache"):
    for path in root.glob(pattern):
        print("removing", path)
        shutil.rmtree(path, ignore_errors=True)
