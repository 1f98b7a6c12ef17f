# k-means on 2-d points
import random


def kmeans(points, k, rounds=50, seed=1):
    rng = random.Random(seed)
    centers = rng.sample(points, k)
    groups = []
    for _ in range(rounds):
        groups = [[] for _ in centers]
        for p in points:
            i = min(range(k), key=lambda c: (p[0] - centers[c][0]) ** 2 + (p[1] - centers[c][1]) ** 2)
            groups[i].append(p)
        new = [tuple(sum(v) / len(g) for v in zip(*g)) if g else centers[i] for i, g in enumerate(groups)]
        if new == centers:
            break
        centers = new
    return centers, groups


pts = [(random.gauss(m, .5), random.gauss(m, .5)) for m in (0, 5, 10) for _ in range(40)]
print(kmeans(pts, 3)[0])
