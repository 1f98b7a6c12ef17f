import numpy as np


def kmeans(x, k, iters=100, seed=0):
    """
    Cluster the rows of ``x`` into ``k`` groups.

    Uses k-means++ for the first centres and Lloyd's algorithm after that.
    Returns labels, centres and inertia.
    """
    rng = np.random.default_rng(seed)
    centres = [x[rng.integers(len(x))]]
    for _ in range(k - 1):
        d = np.min([((x - c) ** 2).sum(1) for c in centres], axis=0)
        centres.append(x[rng.choice(len(x), p=d / d.sum())])
    c = np.array(centres)
    for _ in range(iters):
        lab = ((x[:, None] - c[None]) ** 2).sum(2).argmin(1)
        new = np.array([x[lab == j].mean(0) if (lab == j).any() else c[j] for j in range(k)])
        if np.allclose(new, c):
            break
        c = new
    return lab, c, ((x - c[lab]) ** 2).sum()


rng = np.random.default_rng(42)
x = np.vstack([rng.normal(m, 0.4, (60, 2)) for m in ((0, 0), (3, 1), (1, 4))])
for k in range(1, 6):
    print(k, round(kmeans(x, k)[2], 2))
