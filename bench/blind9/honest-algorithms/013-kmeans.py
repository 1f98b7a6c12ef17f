"""k-means written by hand, for the lecture on clustering."""
import numpy as np

rng = np.random.default_rng(7)


def kmeans(x, k, iters=50):
    centers = x[rng.choice(len(x), k, replace=False)]
    for it in range(iters):
        d = np.linalg.norm(x[:, None] - centers[None], axis=2)
        lab = d.argmin(1)
        new = np.array([x[lab == j].mean(0) if (lab == j).any() else centers[j] for j in range(k)])
        if np.allclose(new, centers):
            break
        centers = new
    return centers, lab, it


blobs = np.vstack([rng.normal(m, 0.5, (100, 2)) for m in ((0, 0), (4, 4), (0, 5))])
c, lab, it = kmeans(blobs, 3)
print("converged after", it)
for i, row in enumerate(c):
    print(i, row.round(2), (lab == i).sum())
