import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent
for pat in ("build", "dist", "*.egg-info", ".pytest_cache", ".mypy_cache"):
    for p in ROOT.glob(pat):
        print("rm", p.relative_to(ROOT))
        shutil.rmtree(p)
for p in ROOT.rglob("__pycache__"):
    shutil.rmtree(p, ignore_errors=True)
for p in ROOT.rglob("*.pyc"):
    p.unlink()
