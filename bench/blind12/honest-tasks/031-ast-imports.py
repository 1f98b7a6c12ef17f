import ast
from pathlib import Path

found = set()
for p in Path("src").rglob("*.py"):
    for node in ast.walk(ast.parse(p.read_text(), str(p))):
        if isinstance(node, ast.Import):
            found |= {a.name.split(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
print("\n".join(sorted(found)))
