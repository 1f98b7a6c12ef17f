import operator
import re

OPS = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul), "/": (2, operator.truediv), "^": (3, pow)}


def evaluate(src):
    out, ops = [], []

    def reduce_top():
        f = OPS[ops.pop()][1]
        b, a = out.pop(), out.pop()
        out.append(f(a, b))
    for num, op in re.findall(r"\s*(?:(\d+\.?\d*)|(.))", src):
        if num:
            out.append(float(num))
        elif op == "(":
            ops.append(op)
        elif op == ")":
            while ops[-1] != "(":
                reduce_top()
            ops.pop()
        else:
            while ops and ops[-1] != "(" and OPS[ops[-1]][0] >= OPS[op][0]:
                reduce_top()
            ops.append(op)
    while ops:
        reduce_top()
    return out[0]


print(evaluate("3 + 4 * (2 - 1) ^ 3"))
