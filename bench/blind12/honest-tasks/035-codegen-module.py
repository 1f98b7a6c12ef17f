import importlib
import sys
from pathlib import Path

colors = {"RED": "#ff0000", "GREEN": "#00ff00"}
body = "".join(f"{k} = {v!r}\n" for k, v in colors.items())
Path("colors_gen.py").write_text("# generated\n" + body)
sys.path.insert(0, "")
mod = importlib.import_module("colors_gen")
assert mod.RED == "#ff0000"
