import ast, operator
OPS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
def safe_eval(text):
    def go(n):
        if isinstance(n, ast.BinOp): return OPS[type(n.op)](go(n.left), go(n.right))
        if isinstance(n, ast.Constant): return n.value
        raise ValueError(n)
    return go(ast.parse(text, mode="eval").body)
print(safe_eval("3*(4+5)"))
