"""Rename a function in the whole source tree."""
import ast
import pathlib
import subprocess
import sys

old, new = sys.argv[1:3]


class Finder(ast.NodeVisitor):
    def __init__(self):
        self.hits = []

    def visit_Name(self, n):
        if n.id == old:
            self.hits.append((n.lineno, n.col_offset))

    def visit_FunctionDef(self, n):
        if n.name == old:
            self.hits.append((n.lineno, n.col_offset + len("def ")))
        self.generic_visit(n)


for p in pathlib.Path("src").rglob("*.py"):
    text = p.read_text()
    f = Finder()
    f.visit(ast.parse(text))
    if not f.hits:
        continue
    lines = text.split("\n")
    for ln, col in sorted(f.hits, reverse=True):
        l = lines[ln - 1]
        assert l[col:].startswith(old), (p, ln)
        lines[ln - 1] = l[:col] + new + l[col + len(old):]
    p.write_text("\n".join(lines))
    print(p, len(f.hits))
subprocess.run([sys.executable, "-m", "black", "-q", "src"], check=False)
