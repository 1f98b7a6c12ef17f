import math


def check_solution(source, cases):
    scope = {"math": math}
    exec(source, scope)
    return [scope["solve"](*args) == want for args, want in cases]


CANDIDATE = """
def solve(n):
    return [d for d in range(1, n + 1) if n % d == 0]
"""
print(check_solution(CANDIDATE, [((6,), [1, 2, 3, 6]), ((7,), [1, 7]), ((1,), [1])]))
print(eval("math.hypot(3, 4)", {"math": math, "__builtins__": {}}))
