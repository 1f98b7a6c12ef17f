# loads the plugins of the project from its own folder
import importlib.util
import pathlib

REGISTRY = {}


def load_all(folder=pathlib.Path(__file__).parent / "plugins"):
    for f in sorted(folder.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"plugins.{f.stem}", f)
        mod = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(mod)
        REGISTRY[f.stem] = getattr(mod, "run", None)
    return REGISTRY


if __name__ == "__main__":
    for name, fn in load_all().items():
        print(name, "ok" if callable(fn) else "has no run()")
