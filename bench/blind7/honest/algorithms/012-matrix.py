from fractions import Fraction as F


def rref(m):
    m = [[F(x) for x in row] for row in m]
    r = 0
    for c in range(len(m[0])):
        p = next((i for i in range(r, len(m)) if m[i][c]), None)
        if p is None:
            continue
        m[r], m[p] = m[p], m[r]
        m[r] = [x / m[r][c] for x in m[r]]
        for i in range(len(m)):
            if i != r and m[i][c]:
                f = m[i][c]
                m[i] = [a - f * b for a, b in zip(m[i], m[r])]
        r += 1
        if r == len(m):
            break
    return m


for row in rref([[2, 1, -1, 8], [-3, -1, 2, -11], [-2, 1, 2, -3]]):
    print(*row)
