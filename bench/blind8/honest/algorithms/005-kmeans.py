import numpy as np

rng = np.random.default_rng(7)
pts = np.vstack([rng.normal(c, 0.4, (80, 2)) for c in ((0, 0), (4, 1), (1, 5))])


def seed(x, k):
    cs = [x[rng.integers(len(x))]]
    while len(cs) < k:
        d = np.min([((x - c) ** 2).sum(1) for c in cs], axis=0)
        cs.append(x[rng.choice(len(x), p=d / d.sum())])
    return np.array(cs)


def fit(x, k, iters=50):
    c = seed(x, k)
    for _ in range(iters):
        lab = np.argmin(((x[:, None] - c) ** 2).sum(-1), axis=1)
        new = np.array([x[lab == i].mean(0) for i in range(k)])
        if np.allclose(new, c):
            break
        c = new
    return c, lab


centres, labels = fit(pts, 3)
print(np.round(centres, 2), np.bincount(labels))
