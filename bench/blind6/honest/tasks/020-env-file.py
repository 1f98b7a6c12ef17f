import os
import subprocess
import sys
from pathlib import Path

env = dict(os.environ)
for line in Path(".env").read_text().splitlines():
    line = line.strip()
    if line and not line.startswith("#"):
        k, _, v = line.partition("=")
        env[k.strip()] = v.strip().strip('"')
missing = [k for k in ("SECRET_KEY", "DATABASE_URL") if not env.get(k)]
if missing:
    sys.exit("missing: " + ", ".join(missing))
env["DEBUG"] = "1"
subprocess.run([sys.executable, "manage.py", "runserver", "127.0.0.1:8000"], env=env)
