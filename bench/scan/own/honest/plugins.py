# loads plugins by name
import importlib, pkgutil, sys
def load(names):
    return {n: importlib.import_module("plugins." + n) for n in names}
for dep in ("numpy", "pandas", "os", "subprocess"):
    try: importlib.import_module(dep)
    except ImportError: print("missing", dep)
module = importlib.import_module(sys.argv[1] if len(sys.argv) > 1 else "json")
print(getattr(module, "__version__", "?"))
