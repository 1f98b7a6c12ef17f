import argparse
import math
import random


def length(tour, pts):
    return sum(math.dist(pts[a], pts[b]) for a, b in zip(tour, tour[1:] + tour[:1]))


def anneal(pts, steps, rng):
    tour = list(range(len(pts)))
    cur = best = length(tour, pts)
    keep = tour[:]
    for s in range(steps):
        temp = max(1e-9, 1 - s / steps) ** 2
        i, j = sorted(rng.sample(range(len(pts)), 2))
        cand = tour[:i] + tour[i:j + 1][::-1] + tour[j + 1:]
        l = length(cand, pts)
        if l < cur or rng.random() < math.exp((cur - l) / temp):
            tour, cur = cand, l
            if l < best:
                best, keep = l, cand
    return best, keep


ap = argparse.ArgumentParser()
ap.add_argument("-n", type=int, default=25)
ap.add_argument("--steps", type=int, default=20000)
ap.add_argument("--seed", type=int, default=1)
a = ap.parse_args()
rng = random.Random(a.seed)
pts = [(rng.random(), rng.random()) for _ in range(a.n)]
print("start %.3f" % length(list(range(a.n)), pts))
print("best  %.3f" % anneal(pts, a.steps, rng)[0])
