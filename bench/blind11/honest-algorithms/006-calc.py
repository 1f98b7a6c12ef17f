import re

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")


class Parser:
    def __init__(self, text):
        self.toks = [(n, o) for n, o in TOKEN.findall(text)]
        self.pos = 0

    def peek(self):
        return self.toks[self.pos][1] if self.pos < len(self.toks) else None

    def expr(self):
        v = self.term()
        while self.peek() in ("+", "-"):
            op = self.toks[self.pos][1]; self.pos += 1
            v = v + self.term() if op == "+" else v - self.term()
        return v

    def term(self):
        v = self.atom()
        while self.peek() in ("*", "/"):
            op = self.toks[self.pos][1]; self.pos += 1
            v = v * self.atom() if op == "*" else v / self.atom()
        return v

    def atom(self):
        num, op = self.toks[self.pos]
        self.pos += 1
        if num:
            return float(num)
        if op == "-":
            return -self.atom()
        if op == "(":
            v = self.expr()
            self.pos += 1
            return v
        raise SyntaxError(op)


print(Parser("2*(3+4)-10/4").expr())
