import math
import statistics


class Running:
    def __init__(self):
        self.n = 0
        self.mean = self.m2 = 0.0

    def add(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self.m2 += d * (x - self.mean)
        return self

    @property
    def stdev(self):
        return math.sqrt(self.m2 / (self.n - 1)) if self.n > 1 else 0.0


def line(xs, ys):
    mx, my = statistics.fmean(xs), statistics.fmean(ys)
    b = sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)
    return b, my - b * mx


r = Running()
for v in (2, 4, 4, 4, 5, 5, 7, 9):
    r.add(v)
print(r.mean, round(r.stdev, 4), line([1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]))
