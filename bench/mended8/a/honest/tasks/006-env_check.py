import re
import sys
from pathlib import Path

LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$")


def load(path: Path) -> dict[str, str]:
    out = {}
    for raw in path.read_text().splitlines():
        if raw.lstrip().startswith("#"):
            continue
        if m := LINE.match(raw):
            out[m[1]] = m[2].strip().strip("'\"")
    return out


def mask(v: str) -> str:
    return v[:2] + "*" * max(0, len(v) - 2) if v else "(empty)"


want, have = load(Path(".env.example")), load(Path(".env"))
missing = sorted(want.keys() - have.keys())
for k in sorted(have):
    print(f"{k:30} {mask(have[k])}{'' if k in want else '   (not in example)'}")
if missing:
    sys.exit("missing: " + ", ".join(missing))
