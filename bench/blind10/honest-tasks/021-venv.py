# setup script for our group project, run: python 021-venv.py
import os
import subprocess
import sys
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
ENV = os.path.join(HERE, ".venv")
PACKAGES = ["numpy", "pandas>=2", "matplotlib", "jupyterlab"]

if not os.path.isdir(ENV):
    print("creating the environment ...")
    venv.create(ENV, with_pip=True)

bindir = "Scripts" if os.name == "nt" else "bin"
python = os.path.join(ENV, bindir, "python")
subprocess.check_call([python, "-m", "pip", "install", "--upgrade", "pip"])
subprocess.check_call([python, "-m", "pip", "install"] + PACKAGES)

# write down the exact versions so that everybody has the same
frozen = subprocess.check_output([python, "-m", "pip", "freeze"], text=True)
with open(os.path.join(HERE, "requirements.lock"), "w") as f:
    f.write(frozen)
print("ready. activate it with: source .venv/bin/activate")
sys.exit(0)
