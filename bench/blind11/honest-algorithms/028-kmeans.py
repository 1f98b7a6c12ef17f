"""A short k-means, written for the data science onboarding."""
import numpy as np


def kmeans(x, k, rng, rounds=100):
    # k-means++ seeding
    centers = [x[rng.integers(len(x))]]
    while len(centers) < k:
        d = np.min([((x - c) ** 2).sum(1) for c in centers], axis=0)
        centers.append(x[rng.choice(len(x), p=d / d.sum())])
    c = np.array(centers)
    for _ in range(rounds):
        lab = ((x[:, None] - c[None]) ** 2).sum(2).argmin(1)
        new = np.array([x[lab == j].mean(0) if (lab == j).any() else c[j] for j in range(k)])
        if np.allclose(new, c):
            break
        c = new
    return c, lab


rng = np.random.default_rng(7)
pts = np.vstack([rng.normal(m, 0.3, (50, 2)) for m in ((0, 0), (3, 3), (0, 4))])
c, lab = kmeans(pts, 3, rng)
print(c.round(2), np.bincount(lab))
