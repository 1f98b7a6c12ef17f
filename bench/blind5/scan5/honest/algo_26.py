import numpy as np
def kmeans(X, k, steps=20, seed=0):
    rng = np.random.default_rng(seed); centers = X[rng.choice(len(X), k, replace=False)]
    for _ in range(steps):
        label = np.argmin(((X[:, None] - centers) ** 2).sum(-1), 1)
        centers = np.array([X[label == j].mean(0) if (label == j).any() else centers[j] for j in range(k)])
    return label, centers
print(kmeans(np.random.default_rng(1).normal(size=(90, 2)), 3)[1])
