import json
import subprocess
from pathlib import Path

STEPS = json.loads(r'''
[
 {"tool": "write_file", "args": {"path": "app/__init__.py", "content": ""}},
 {"tool": "write_file", "args": {"path": "app/calc.py", "content": "def add(a, b):\n    return a + b\n"}},
 {"tool": "write_file", "args": {"path": "tests/test_calc.py", "content": "from app.calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"}},
 {"tool": "bash", "args": {"command": "python -m pytest -q"}},
 {"tool": "bash", "args": {"command": "git add -A && git commit -qm 'add calc' && git log --oneline -1"}}
]
''')


def bash(command):
    r = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    return r.stdout + r.stderr


def write_file(path, content):
    p = Path(path)
    p.parent.mkdir(parents=True, exist_ok=True)
    p.write_text(content)
    return f"wrote {len(content)} bytes"


for s in STEPS:
    print(">", s["tool"], globals()[s["tool"]](**s["args"]).strip())
