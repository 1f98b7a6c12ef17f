"""`import sandbox_agent.agixt_hook` makes `agixt.sandbox` importable beside another package called agixt.

The directory agixt/ of this distribution has no __init__.py, so that it can share its name (PEP 420). That works
alone, and when pip's agixt lies in the same site directory. A regular package in *another* one hides it: then this
finder, the last one, answers for `agixt.sandbox`; and for `agixt` only where there is none at all. `agixt_sandbox.pth`
with the one line «import sandbox_agent.agixt_hook» does it for a whole installation. """
import importlib.util
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Optional, Sequence

__all__ = ["install"]

_FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "agixt", "sandbox", "__init__.py")


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None
    ) -> Optional[ModuleSpec]:
        if fullname == "agixt.sandbox" and os.path.isfile(_FILE):
            return importlib.util.spec_from_file_location(
                fullname, _FILE, submodule_search_locations=[os.path.dirname(_FILE)]
            )
        return None


def install() -> None:
    """Adds the finder, once."""
    if not any(type(f).__name__ == "_Finder" and type(f).__module__ == __name__ for f in sys.meta_path):
        sys.meta_path.append(_Finder())


install()
