import re
TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")
def parse(s):
    toks = [(float(n) if n else o) for n, o in TOKEN.findall(s)] + [None]
    pos = 0
    def expr(rbp=0):
        nonlocal pos
        t = toks[pos]; pos += 1
        if t == "(": left = expr(); pos += 1
        elif t == "-": left = -expr(30)
        else: left = t
        while toks[pos] in BP and BP[toks[pos]] > rbp:
            op = toks[pos]; pos += 1
            right = expr(BP[op])
            left = {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "/": lambda: left / right}[op]()
        return left
    return expr()
BP = {"+": 10, "-": 10, "*": 20, "/": 20}
print(parse("2*(3+4)-10/4"))
