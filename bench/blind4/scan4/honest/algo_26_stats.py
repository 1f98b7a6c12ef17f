# running mean and variance after Welford
class Running:
    def __init__(self):
        self.n = 0
        self.mean = self.m2 = 0.0

    def push(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self.m2 += d * (x - self.mean)

    @property
    def var(self):
        return self.m2 / (self.n - 1) if self.n > 1 else 0.0


r = Running()
for v in (2, 4, 4, 4, 5, 5, 7, 9):
    r.push(v)
print(r.mean, r.var)
