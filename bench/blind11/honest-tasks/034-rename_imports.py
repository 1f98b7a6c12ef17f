from pathlib import Path

import libcst as cst


class Renamer(cst.CSTTransformer):
    """shop.utils -> shop.common"""

    def leave_ImportFrom(self, old, new):
        if new.module and cst.Module([]).code_for_node(new.module) == "shop.utils":
            return new.with_changes(module=cst.parse_expression("shop.common"))
        return new


n = 0
for p in Path("src").rglob("*.py"):
    src = p.read_text()
    out = cst.parse_module(src).visit(Renamer()).code
    if out != src:
        p.write_text(out)
        n += 1
print(n, "files changed")
