import numpy as np

rng = np.random.default_rng(1)
pts = np.vstack([rng.normal(c, 0.5, (50, 2)) for c in ((0, 0), (4, 4), (0, 5))])
cent = pts[rng.choice(len(pts), 3, replace=False)]
for it in range(50):
    lab = np.linalg.norm(pts[:, None] - cent[None], axis=2).argmin(1)
    new = np.array([pts[lab == k].mean(0) if (lab == k).any() else cent[k] for k in range(3)])
    if np.allclose(new, cent):
        break
    cent = new
print(it, cent.round(2).tolist())
