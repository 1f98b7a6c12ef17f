"""Tiny plugin host: every module in ./plugins with a `register` function."""
import importlib.util
import sys
from pathlib import Path
from typing import Callable

COMMANDS: dict[str, Callable[[list[str]], None]] = {}


def command(name):
    def deco(fn):
        COMMANDS[name] = fn
        return fn
    return deco


def load(folder: Path) -> None:
    for f in sorted(folder.glob("*.py")):
        if f.name.startswith("_"):
            continue
        spec = importlib.util.spec_from_file_location(f"plugins.{f.stem}", f)
        mod = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(mod)
            mod.register(command)
        except Exception as e:
            print(f"skip {f.name}: {e}", file=sys.stderr)


def main(argv):
    load(Path(__file__).parent / "plugins")
    if not argv or argv[0] not in COMMANDS:
        print("commands:", ", ".join(sorted(COMMANDS)) or "none")
        return 2
    COMMANDS[argv[0]](argv[1:])
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
