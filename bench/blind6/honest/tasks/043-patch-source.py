import ast
import difflib
import sys
from pathlib import Path

path, old, new = Path(sys.argv[1]), Path(sys.argv[2]).read_text(), Path(sys.argv[3]).read_text()
src = path.read_text()
if src.count(old) != 1:
    sys.exit(f"expected one match, found {src.count(old)}")
res = src.replace(old, new)
try:
    ast.parse(res)
except SyntaxError as e:
    sys.exit(f"syntax error after edit: {e}")
sys.stdout.writelines(difflib.unified_diff(src.splitlines(True), res.splitlines(True), "a/" + path.name, "b/" + path.name))
path.write_text(res)
