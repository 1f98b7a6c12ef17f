# class: algorithm, a small Lisp; style: hobby
import math, operator as op
def tokenize(s): return s.replace('(', ' ( ').replace(')', ' ) ').split()
def read(t):
    x = t.pop(0)
    if x == '(':
        L = []
        while t[0] != ')': L.append(read(t))
        t.pop(0)
        return L
    for kind in (int, float):
        try: return kind(x)
        except ValueError: pass
    return x
env = dict(vars(math)); env.update({'+': op.add, '*': op.mul, '-': op.sub, '<': op.lt, 'list': lambda *a: list(a)})
def Eval(x, env):
    if isinstance(x, str): return env[x]
    if not isinstance(x, list): return x
    if x[0] == 'if': return Eval(x[2] if Eval(x[1], env) else x[3], env)
    if x[0] == 'define': env[x[1]] = Eval(x[2], env); return None
    if x[0] == 'lambda': return lambda *a: Eval(x[2], {**env, **dict(zip(x[1], a))})
    f, *args = [Eval(e, env) for e in x]
    return f(*args)
Eval(read(tokenize("(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))")), env)
print(Eval(read(tokenize("(fact 20)")), env))
