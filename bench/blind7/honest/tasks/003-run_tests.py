import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")


def sh(*args):
    print("+", *args)
    subprocess.run([str(a) for a in args], cwd=ROOT, check=True)


if not VENV.exists():
    venv.EnvBuilder(with_pip=True).create(VENV)
sh(BIN / "python", "-m", "pip", "install", "-q", "-U", "pip")
for req in ("requirements.txt", "requirements-dev.txt"):
    if (ROOT / req).exists():
        sh(BIN / "pip", "install", "-q", "-r", req)
try:
    sh(BIN / "python", "-m", "pytest", "-q", "--cov=src", "--cov-report=term-missing", *sys.argv[1:])
except subprocess.CalledProcessError as e:
    sys.exit(e.returncode)
