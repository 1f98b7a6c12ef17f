import numpy as np

A = np.array([[2.0, 1, 1, 0, 0], [1, 3, 0, 1, 0], [1, 0, 0, 0, 1]])
b = np.array([18.0, 42, 8])
c = np.array([-3.0, -2, 0, 0, 0])
T = np.vstack([np.hstack([A, b[:, None]]), np.append(c, 0)])
base = [2, 3, 4]
while T[-1, :-1].min() < -1e-9:
    j = int(T[-1, :-1].argmin())
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(T[:-1, j] > 1e-9, T[:-1, -1] / T[:-1, j], np.inf)
    i = int(ratio.argmin())
    T[i] /= T[i, j]
    for k in range(len(T)):
        if k != i:
            T[k] -= T[k, j] * T[i]
    base[i] = j
print(dict(zip(base, T[:-1, -1])), T[-1, -1])
