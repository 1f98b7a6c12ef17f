# small expression tokenizer and evaluator
import re
import operator

TOK = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")
OPS = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul), "/": (2, operator.truediv)}


def tokens(text):
    for num, op in TOK.findall(text):
        yield float(num) if num else op


def evaluate(text):
    vals, ops = [], []

    def reduce():
        b, a = vals.pop(), vals.pop()
        vals.append(OPS[ops.pop()][1](a, b))

    for t in tokens(text):
        if isinstance(t, float):
            vals.append(t)
        elif t == "(":
            ops.append(t)
        elif t == ")":
            while ops[-1] != "(":
                reduce()
            ops.pop()
        else:
            while ops and ops[-1] != "(" and OPS[ops[-1]][0] >= OPS[t][0]:
                reduce()
            ops.append(t)
    while ops:
        reduce()
    return vals[0]


print(evaluate("2*(3+4)-5/2"))
