import subprocess
import time
from pathlib import Path


def snapshot():
    return {p: p.stat().st_mtime for d in ("src", "tests") for p in Path(d).rglob("*.py")}


last = {}
try:
    while True:
        now = snapshot()
        if now != last:
            changed = [str(p) for p in now if last.get(p) != now[p]]
            print("changed:", *changed[:5])
            subprocess.run(["pytest", "-q", "-x"])
            last = now
        time.sleep(1)
except KeyboardInterrupt:
    pass
