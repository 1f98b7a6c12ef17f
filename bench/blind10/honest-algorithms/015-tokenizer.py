"""Shunting-yard calculator. No eval anywhere."""
import operator
import re

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?)|(.))")
OPS = {
    "+": (1, operator.add, False),
    "-": (1, operator.sub, False),
    "*": (2, operator.mul, False),
    "/": (2, operator.truediv, False),
    "^": (3, operator.pow, True),
}


def to_rpn(text):
    out, stack = [], []
    for num, op in TOKEN.findall(text.strip()):
        if num:
            out.append(float(num))
        elif op in OPS:
            p, _, right = OPS[op]
            while stack and stack[-1] != "(" and (OPS[stack[-1]][0] > p or (OPS[stack[-1]][0] == p and not right)):
                out.append(stack.pop())
            stack.append(op)
        elif op == "(":
            stack.append(op)
        elif op == ")":
            while stack[-1] != "(":
                out.append(stack.pop())
            stack.pop()
        else:
            raise SyntaxError(f"bad token {op!r}")
    return out + stack[::-1]


def run(rpn):
    st = []
    for t in rpn:
        if isinstance(t, float):
            st.append(t)
        else:
            b, a = st.pop(), st.pop()
            st.append(OPS[t][1](a, b))
    return st[0]


for e in ("1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "10 / 4 - 1"):
    print(e, "=", run(to_rpn(e)))
