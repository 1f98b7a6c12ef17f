import importlib.util, pathlib, sys
# loads plug-ins from the project's own directory
for p in sorted(pathlib.Path("plugins").glob("*.py")):
    spec = importlib.util.spec_from_file_location(p.stem, p); mod = importlib.util.module_from_spec(spec)
    sys.modules[p.stem] = mod; spec.loader.exec_module(mod); mod.register({"version": 1})
