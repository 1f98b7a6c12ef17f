# parser and printer for a small lisp
import re


def read(src):
    toks = re.findall(r"[()]|[^\s()]+", src)

    def expr():
        t = toks.pop(0)
        if t == "(":
            out = []
            while toks[0] != ")":
                out.append(expr())
            toks.pop(0)
            return out
        return int(t) if t.lstrip("-").isdigit() else t
    return expr()


ENV = {"+": lambda *a: sum(a), "*": lambda a, b: a * b, "<": lambda a, b: a < b, "-": lambda a, b: a - b}


def ev(x, env):
    if isinstance(x, str):
        return env[x]
    if not isinstance(x, list):
        return x
    if x[0] == "if":
        return ev(x[2] if ev(x[1], env) else x[3], env)
    if x[0] == "define":
        env[x[1]] = ev(x[2], env)
        return None
    if x[0] == "lambda":
        return lambda *a: ev(x[2], {**env, **dict(zip(x[1], a))})
    f, *args = [ev(p, env) for p in x]
    return f(*args)


print(ev(read("((lambda (a b) (+ a (* b 3))) 4 5)"), ENV))
