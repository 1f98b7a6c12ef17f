from fractions import Fraction


class Poly(list):
    def __call__(self, x):
        r = 0
        for c in reversed(self):
            r = r * x + c
        return r

    def __mul__(self, o):
        out = Poly([0] * (len(self) + len(o) - 1))
        for i, a in enumerate(self):
            for j, b in enumerate(o):
                out[i + j] += a * b
        return out

    def __add__(self, o):
        n = max(len(self), len(o))
        return Poly([(self[i] if i < len(self) else 0) + (o[i] if i < len(o) else 0) for i in range(n)])


def lagrange(points):
    total = Poly([0])
    for i, (xi, yi) in enumerate(points):
        term = Poly([Fraction(yi)])
        for j, (xj, _) in enumerate(points):
            if i != j:
                term *= Poly([Fraction(-xj, xi - xj), Fraction(1, xi - xj)])
        total += term
    return total


print([str(c) for c in lagrange([(1, 1), (2, 8), (3, 27), (4, 64)])])
