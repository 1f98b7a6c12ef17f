from typing import Iterable, NamedTuple


class Edge(NamedTuple):
    w: float
    a: int
    b: int


class DSU:
    def __init__(self, n: int) -> None:
        self.p = list(range(n))
        self.size = [1] * n

    def find(self, x: int) -> int:
        while self.p[x] != x:
            self.p[x] = self.p[self.p[x]]
            x = self.p[x]
        return x

    def join(self, a: int, b: int) -> bool:
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.p[b] = a
        self.size[a] += self.size[b]
        return True


def kruskal(n: int, edges: Iterable[Edge]) -> list[Edge]:
    d = DSU(n)
    return [e for e in sorted(edges) if d.join(e.a, e.b)]


print(kruskal(4, [Edge(3, 0, 1), Edge(1, 1, 2), Edge(2, 0, 2), Edge(9, 2, 3)]))
