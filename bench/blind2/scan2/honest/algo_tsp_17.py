# class: algorithm; style: simulated annealing, script
import math
import random

random.seed(1)
cities = [(random.random(), random.random()) for _ in range(40)]

def length(tour):
    return sum(math.dist(cities[a], cities[b]) for a, b in zip(tour, tour[1:] + tour[:1]))

tour = list(range(40))
best, T = length(tour), 1.0
first = best
while T > 1e-3:
    i, j = sorted(random.sample(range(40), 2))
    new = tour[:i] + tour[i:j][::-1] + tour[j:]
    d = length(new) - best
    if d < 0 or random.random() < math.exp(-d / T):
        tour, best = new, best + d
    T *= 0.999
print(f"{first:.2f} -> {best:.2f}")
