"""Tiny plugin host: every module in ./plugins with a `register` function."""
import importlib
import logging
import pkgutil
from typing import Callable

log = logging.getLogger(__name__)
Registry = dict[str, Callable[[str], str]]


def discover(package: str = "plugins") -> Registry:
    registry: Registry = {}
    pkg = importlib.import_module(package)
    for info in pkgutil.iter_modules(pkg.__path__):
        mod = importlib.import_module(f"{package}.{info.name}")
        if hasattr(mod, "register"):
            mod.register(registry)
            log.info("loaded %s", info.name)
    return registry


def main() -> None:
    logging.basicConfig(level=logging.INFO)
    registry = discover()
    while (line := input("> ").strip()) not in {"quit", ""}:
        name, _, arg = line.partition(" ")
        print(registry.get(name, lambda a: f"unknown command {name!r}")(arg))


if __name__ == "__main__":
    main()
