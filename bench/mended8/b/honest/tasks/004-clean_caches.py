"""Delete build artefacts below a project directory."""
import argparse
import shutil
from pathlib import Path

NAMES = {"__pycache__", ".pytest_cache", ".mypy_cache", "node_modules", "dist", "build", ".tox"}


def size(p: Path) -> int:
    return sum(f.stat().st_size for f in p.rglob("*") if f.is_file() and not f.is_symlink())


def targets(root: Path):
    stack = [root]
    while stack:
        for child in stack.pop().iterdir():
            if not child.is_dir() or child.is_symlink():
                continue
            if child.name in NAMES:
                yield child
            elif child.name != ".git":
                stack.append(child)


ap = argparse.ArgumentParser(description=__doc__)
ap.add_argument("root", type=Path)
ap.add_argument("--delete", action="store_true", help="really delete, otherwise only list")
ns = ap.parse_args()
total = 0
for t in targets(ns.root.resolve()):
    total += size(t)
    print("delete" if ns.delete else "would delete", t)
    if ns.delete:
        shutil.rmtree(t)
print(f"{total / 1e6:.1f} MB")
