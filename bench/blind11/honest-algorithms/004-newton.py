def newton(f, df, x, tol=1e-12, limit=50):
    """Newton's method. Raises if it does not converge."""
    for _ in range(limit):
        fx = f(x)
        if abs(fx) < tol:
            return x
        x -= fx / df(x)
    raise ArithmeticError("no convergence")


def cube_root(a):
    return newton(lambda x: x ** 3 - a, lambda x: 3 * x * x, a if a > 1 else 1.0)


for a in (2, 27, 1000):
    print(f"{a:5d} {cube_root(a):.10f}")
