import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path

folder = Path("plugins")
folder.mkdir(exist_ok=True)
(folder / "upper.py").write_text("def transform(text):\n    return text.upper()\n")
(folder / "count.py").write_text("def transform(text):\n    return str(len(text))\n")
sys.path.insert(0, str(folder))
loaded = {m.name: importlib.import_module(m.name) for m in pkgutil.iter_modules([str(folder)])}
for name, module in sorted(loaded.items()):
    print(name, getattr(module, "transform")("hello"))
spec = importlib.util.spec_from_file_location("late", folder / "upper.py")
late = importlib.util.module_from_spec(spec)
spec.loader.exec_module(late)
