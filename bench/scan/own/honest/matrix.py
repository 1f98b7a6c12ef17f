# an algorithm: LU decomposition
def lu(a):
    n = len(a); l = [[float(i == j) for j in range(n)] for i in range(n)]; u = [r[:] for r in a]
    for k in range(n):
        for i in range(k + 1, n):
            l[i][k] = u[i][k] / u[k][k]
            for j in range(k, n): u[i][j] -= l[i][k] * u[k][j]
    return l, u
print(lu([[4.0, 3.0], [6.0, 3.0]]))
