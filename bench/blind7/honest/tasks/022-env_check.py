import os
import shutil
import subprocess
import sys

TOOLS = {"git": "--version", "node": "--version", "docker": "--version", "psql": "--version"}
VARS = ["DATABASE_URL", "SECRET_KEY", "SENTRY_DSN"]
bad = 0

for t, arg in TOOLS.items():
    if not shutil.which(t):
        print(f"missing  {t}")
        bad += 1
        continue
    v = subprocess.run([t, arg], capture_output=True, text=True).stdout.splitlines()
    print(f"ok       {t}: {v[0] if v else '?'}")

for v in VARS:
    if os.environ.get(v):
        print(f"ok       {v} is set ({len(os.environ[v])} characters)")
    else:
        print(f"missing  {v}")
        bad += 1

if sys.version_info < (3, 10):
    print("python 3.10 or newer is needed")
    bad += 1
sys.exit(bool(bad))
