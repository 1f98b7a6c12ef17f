import math
import operator as op


def parse(s):
    toks = s.replace("(", " ( ").replace(")", " ) ").split()

    def read():
        t = toks.pop(0)
        if t == "(":
            l = []
            while toks[0] != ")":
                l.append(read())
            toks.pop(0)
            return l
        try:
            return float(t) if "." in t else int(t)
        except ValueError:
            return t

    return read()


ENV = {"+": op.add, "-": op.sub, "*": op.mul, "/": op.truediv, "<": op.lt, "=": op.eq, "sqrt": math.sqrt, "list": lambda *a: list(a)}


def evaluate(x, env=ENV):
    if isinstance(x, str):
        return env[x]
    if not isinstance(x, list):
        return x
    if x[0] == "if":
        return evaluate(x[2] if evaluate(x[1], env) else x[3], env)
    if x[0] == "define":
        env[x[1]] = evaluate(x[2], env)
        return None
    if x[0] == "lambda":
        return lambda *a: evaluate(x[2], {**env, **dict(zip(x[1], a)), **{k: v for k, v in ENV.items() if k not in env}})
    f, *args = (evaluate(e, env) for e in x)
    return f(*args)


evaluate(parse("(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))"))
print(evaluate(parse("(fact 20)")))
