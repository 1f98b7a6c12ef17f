# class: algorithm, generated functions; style: performance tinkerer
import timeit

SRC = """
def poly(x):
    return {body}
"""

def unrolled(coeffs):
    body = repr(coeffs[0])
    for c in coeffs[1:]:
        body = f"({body}) * x + {c!r}"
    ns = {}
    exec(compile(SRC.format(body=body), "<poly>", "exec"), ns)
    return ns["poly"]

def horner(coeffs, x):
    r = 0
    for c in coeffs:
        r = r * x + c
    return r

c = [3, -2, 0, 7, 1]
f = unrolled(c)
assert f(5) == horner(c, 5)
print(timeit.timeit(lambda: f(5), number=10000) < 10)
