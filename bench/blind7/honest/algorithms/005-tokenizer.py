import operator
import re

TOK = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")
OPS = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul), "/": (2, operator.truediv), "^": (3, operator.pow)}


def tokens(s):
    for num, op in TOK.findall(s):
        yield float(num) if num else op


def rpn(ts):
    out, st = [], []
    for t in ts:
        if isinstance(t, float):
            out.append(t)
        elif t == "(":
            st.append(t)
        elif t == ")":
            while st[-1] != "(":
                out.append(st.pop())
            st.pop()
        else:
            while st and st[-1] != "(" and (OPS[st[-1]][0] > OPS[t][0] or OPS[st[-1]][0] == OPS[t][0] and t != "^"):
                out.append(st.pop())
            st.append(t)
    return out + st[::-1]


def evaluate(expr):
    st = []
    for t in rpn(tokens(expr)):
        if isinstance(t, float):
            st.append(t)
        else:
            b, a = st.pop(), st.pop()
            st.append(OPS[t][1](a, b))
    return st[0]


print(evaluate("3 + 4 * 2 / (1 - 5) ^ 2"))
