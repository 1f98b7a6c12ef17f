import ast
import operator as op

OPS = {ast.Add: op.add, ast.Sub: op.sub, ast.Mult: op.mul, ast.Div: op.truediv, ast.Pow: op.pow, ast.USub: op.neg, ast.Mod: op.mod}


def value(node):
    if isinstance(node, ast.Expression):
        return value(node.body)
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.BinOp):
        return OPS[type(node.op)](value(node.left), value(node.right))
    if isinstance(node, ast.UnaryOp):
        return OPS[type(node.op)](value(node.operand))
    raise ValueError(ast.dump(node))


for text in ("2+3*4", "-(2**10)%7", "10/4-1"):
    print(text, "=", value(ast.parse(text, mode="eval")))
