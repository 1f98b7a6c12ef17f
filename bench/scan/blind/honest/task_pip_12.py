# class: packages; style: ensure
import importlib.util
import subprocess
import sys

for package in ("pandas", "pyarrow", "tqdm"):
    if importlib.util.find_spec(package) is None:
        subprocess.check_call([sys.executable, "-m", "pip", "install", "--quiet", package])
import pandas as pd
print(pd.__version__)
