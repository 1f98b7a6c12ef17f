from dataclasses import dataclass
from math import atan2


@dataclass(frozen=True, order=True)
class P:
    x: float
    y: float

    def __sub__(self, o):
        return P(self.x - o.x, self.y - o.y)


def cross(a, b, c):
    u, v = b - a, c - a
    return u.x * v.y - u.y * v.x


def hull(points):
    start = min(points)
    rest = sorted(set(points) - {start}, key=lambda p: (atan2(p.y - start.y, p.x - start.x), p))
    out = [start]
    for p in rest:
        while len(out) > 1 and cross(out[-2], out[-1], p) <= 0:
            out.pop()
        out.append(p)
    return out


print(hull([P(0, 0), P(2, 1), P(4, 0), P(4, 4), P(0, 4), P(2, 2), P(3, 1)]))
