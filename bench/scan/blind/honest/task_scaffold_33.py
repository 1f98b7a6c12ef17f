# class: agent's creation of a project; style: dict of files
from pathlib import Path
import subprocess

FILES = {
    "pkg/__init__.py": "",
    "pkg/core.py": "def add(a, b):\n    return a + b\n",
    "tests/test_core.py": "from pkg.core import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    "run.sh": "#!/bin/sh\nset -e\npython3 -m pytest -q tests\n",
}
for name, text in FILES.items():
    p = Path("demo", name)
    p.parent.mkdir(parents=True, exist_ok=True)
    p.write_text(text)
Path("demo/run.sh").chmod(0o755)
subprocess.run(["./run.sh"], cwd="demo", check=True)
