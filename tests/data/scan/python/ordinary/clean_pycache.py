import shutil
from pathlib import Path
n = 0
for d in Path(".").rglob("__pycache__"):
    shutil.rmtree(d); n += 1
print("removed", n)
