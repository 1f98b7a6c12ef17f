import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def run(pkg):
    t = time.monotonic()
    p = subprocess.run([sys.executable, "-m", "pytest", "-q", str(pkg)], capture_output=True, text=True)
    return pkg, p.returncode, time.monotonic() - t, p.stdout[-2000:]


pkgs = [p for p in Path("packages").iterdir() if (p / "tests").is_dir()]
failed = 0
with ThreadPoolExecutor(4) as ex:
    for pkg, rc, secs, tail in ex.map(run, pkgs):
        print(f"{'ok ' if rc == 0 else 'BAD'} {pkg.name:20} {secs:6.1f}s")
        if rc:
            failed += 1
            print(tail)
sys.exit(bool(failed))
