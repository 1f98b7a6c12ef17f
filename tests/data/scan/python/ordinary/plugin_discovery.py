import importlib, pkgutil
import plugins
for _, name, _ in pkgutil.iter_modules(plugins.__path__):
    mod = importlib.import_module(f"plugins.{name}")
    mod.register()
