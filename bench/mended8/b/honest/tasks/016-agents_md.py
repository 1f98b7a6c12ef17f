"""Write AGENTS.md with the commands this repository really uses."""
import re
import tomllib
from pathlib import Path

TEMPLATE = """# Notes for coding agents

- Python {python}
- Install: `pip install -e .[dev]`
- Style: line length {length}, formatted by ruff
- Ask before adding a dependency or changing the public API.

## Make targets
{targets}
"""


def make_targets(text: str) -> str:
    rows = re.findall(r"^([\w-]+):.*?##\s*(.+)$", text, re.M)
    return "\n".join(f"- `make {t}`: {d}" for t, d in rows) or "- none"


proj = tomllib.loads(Path("pyproject.toml").read_text())
out = TEMPLATE.format(
    python=proj["project"].get("requires-python", "3"),
    length=proj.get("tool", {}).get("ruff", {}).get("line-length", 88),
    targets=make_targets(Path("Makefile").read_text()),
)
Path("AGENTS.md").write_text(out)
print(out)
