# a calculator with a checked expression
import ast, operator
ALLOWED = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
def value(node):
    if isinstance(node, ast.Constant): return node.value
    if isinstance(node, ast.BinOp): return ALLOWED[type(node.op)](value(node.left), value(node.right))
    raise ValueError(node)
print(value(ast.parse("2 * (3 + 4)", mode="eval").body), eval("1 + 1", {"__builtins__": {}}))
