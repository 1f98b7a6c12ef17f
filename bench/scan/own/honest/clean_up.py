# removes old build output
import shutil, os, glob, time
from pathlib import Path
for d in ("build", "dist", ".pytest_cache"):
    shutil.rmtree(d, ignore_errors=True)
for p in Path(".").rglob("__pycache__"):
    shutil.rmtree(p)
for f in glob.glob("logs/*.log"):
    if time.time() - os.path.getmtime(f) > 7 * 86400:
        os.remove(f)
