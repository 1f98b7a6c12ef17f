from dataclasses import dataclass, field


@dataclass
class Quad:
    x: float
    y: float
    half: float
    cap: int = 4
    pts: list = field(default_factory=list)
    kids: list = field(default_factory=list)

    def inside(self, p):
        return abs(p[0] - self.x) <= self.half and abs(p[1] - self.y) <= self.half

    def add(self, p):
        if not self.inside(p):
            return False
        if self.kids:
            return any(k.add(p) for k in self.kids)
        self.pts.append(p)
        if len(self.pts) > self.cap and self.half > 1e-9:
            h = self.half / 2
            self.kids = [Quad(self.x + sx * h, self.y + sy * h, h) for sx in (-1, 1) for sy in (-1, 1)]
            for q in self.pts:
                any(k.add(q) for k in self.kids)
            self.pts = []
        return True

    def query(self, x0, y0, x1, y1):
        if x1 < self.x - self.half or x0 > self.x + self.half or y1 < self.y - self.half or y0 > self.y + self.half:
            return
        yield from (p for p in self.pts if x0 <= p[0] <= x1 and y0 <= p[1] <= y1)
        for k in self.kids:
            yield from k.query(x0, y0, x1, y1)


q = Quad(0, 0, 10)
for i in range(-9, 10):
    q.add((i, i * i / 10))
print(list(q.query(0, 0, 5, 5)))
