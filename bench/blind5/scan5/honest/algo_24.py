class Matrix:
    def __init__(self, rows): self.rows = rows
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __pow__(self, n):
        out, base = Matrix([[int(i == j) for j in range(len(self.rows))] for i in range(len(self.rows))]), self
        while n:
            if n & 1: out = out @ base
            base, n = base @ base, n >> 1
        return out
print((Matrix([[1, 1], [1, 0]]) ** 90).rows[0][1])
