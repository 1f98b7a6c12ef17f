import operator
import re
from typing import Iterator, NamedTuple


class Tok(NamedTuple):
    kind: str
    text: str


SPEC = [("NUM", r"\d+(?:\.\d+)?"), ("OP", r"[-+*/^]"), ("LP", r"\("), ("RP", r"\)"), ("WS", r"\s+")]
RX = re.compile("|".join(f"(?P<{k}>{p})" for k, p in SPEC))
OPS = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul),
       "/": (2, operator.truediv), "^": (3, operator.pow)}


def tokens(s: str) -> Iterator[Tok]:
    for m in RX.finditer(s):
        if m.lastgroup != "WS":
            yield Tok(m.lastgroup, m.group())


def evaluate(s: str) -> float:
    nums, ops = [], []

    def apply():
        f = OPS[ops.pop()][1]
        b, a = nums.pop(), nums.pop()
        nums.append(f(a, b))

    for t in tokens(s):
        if t.kind == "NUM":
            nums.append(float(t.text))
        elif t.kind == "LP":
            ops.append("(")
        elif t.kind == "RP":
            while ops[-1] != "(":
                apply()
            ops.pop()
        else:
            p = OPS[t.text][0]
            while ops and ops[-1] != "(" and (OPS[ops[-1]][0] > p or (OPS[ops[-1]][0] == p and t.text != "^")):
                apply()
            ops.append(t.text)
    while ops:
        apply()
    return nums[0]


for e in ("1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "10 / 4 - 1"):
    print(e, "=", evaluate(e))
