# removes build results and caches of this project
import shutil
from pathlib import Path

root = Path(__file__).parent
for name in ("build", "dist", ".pytest_cache", ".mypy_cache", "htmlcov"):
    shutil.rmtree(root / name, ignore_errors=True)
for cache in root.rglob("__pycache__"):
    shutil.rmtree(cache)
for egg in root.glob("*.egg-info"):
    shutil.rmtree(egg)
