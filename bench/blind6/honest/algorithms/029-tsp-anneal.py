import math
import random

random.seed(4)
pts = [(random.random(), random.random()) for _ in range(30)]


def length(t):
    return sum(math.dist(pts[t[i - 1]], pts[t[i]]) for i in range(len(t)))


tour = list(range(30))
cur = length(tour)
temp = 1.0
while temp > 1e-3:
    i, j = sorted(random.sample(range(30), 2))
    cand = tour[:i] + tour[i:j + 1][::-1] + tour[j + 1:]
    l = length(cand)
    if l < cur or random.random() < math.exp((cur - l) / temp):
        tour, cur = cand, l
    temp *= 0.9995
print(round(cur, 3))
