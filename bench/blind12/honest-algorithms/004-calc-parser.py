import re

class Calc:
    def __init__(self, text):
        self.toks = re.findall(r"\d+\.?\d*|[-+*/()]", text)

    def take(self):
        return self.toks.pop(0)

    def peek(self):
        return self.toks[0] if self.toks else ""

    def expr(self):
        v = self.term()
        while self.peek() in ("+", "-"):
            v = v + self.term() if self.take() == "+" else v - self.term()
        return v

    def term(self):
        v = self.atom()
        while self.peek() in ("*", "/"):
            v = v * self.atom() if self.take() == "*" else v / self.atom()
        return v

    def atom(self):
        if self.peek() == "(":
            self.take()
            v = self.expr()
            self.take()
            return v
        if self.peek() == "-":
            self.take()
            return -self.atom()
        return float(self.take())

for e in ["1+2*3", "(1+2)*3", "-4/2"]:
    print(e, "=", Calc(e).expr())
