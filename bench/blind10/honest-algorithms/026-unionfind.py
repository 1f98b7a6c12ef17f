import random
import statistics


class DSU:
    def __init__(self, n):
        self.p = list(range(n))
        self.s = [1] * n

    def find(self, x):
        while self.p[x] != x:
            self.p[x] = self.p[self.p[x]]
            x = self.p[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        if self.s[a] < self.s[b]:
            a, b = b, a
        self.p[b] = a
        self.s[a] += self.s[b]


def percolate(n):
    top, bottom = n * n, n * n + 1
    d = DSU(n * n + 2)
    opened = set()
    cells = list(range(n * n))
    random.shuffle(cells)
    for c in cells:
        opened.add(c)
        r, k = divmod(c, n)
        if r == 0:
            d.union(c, top)
        if r == n - 1:
            d.union(c, bottom)
        for q, ok in ((c - n, r > 0), (c + n, r < n - 1), (c - 1, k > 0), (c + 1, k < n - 1)):
            if ok and q in opened:
                d.union(c, q)
        if d.find(top) == d.find(bottom):
            return len(opened) / (n * n)


random.seed(3)
v = [percolate(30) for _ in range(40)]
print(f"threshold {statistics.mean(v):.3f} (theory 0.593)")
