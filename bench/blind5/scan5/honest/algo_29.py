from fractions import Fraction
def gauss(A, b):
    n = len(A); M = [list(map(Fraction, r)) + [Fraction(v)] for r, v in zip(A, b)]
    for i in range(n):
        p = next(r for r in range(i, n) if M[r][i]); M[i], M[p] = M[p], M[i]
        M[i] = [v / M[i][i] for v in M[i]]
        for r in range(n):
            if r != i: M[r] = [x - M[r][i] * y for x, y in zip(M[r], M[i])]
    return [r[-1] for r in M]
print(gauss([[2, 1], [1, 3]], [3, 5]))
