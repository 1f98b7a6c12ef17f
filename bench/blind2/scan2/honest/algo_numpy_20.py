# class: algorithm, linear algebra with numpy; style: data scientist
import numpy as np
rng = np.random.default_rng(0)
A = rng.normal(size=(50, 50)); A = A @ A.T + 50 * np.eye(50)
b = rng.normal(size=50)
x = np.zeros(50); r = b - A @ x; p = r.copy()
for k in range(100):
    Ap = A @ p
    a = (r @ r) / (p @ Ap)
    x += a * p
    rn = r - a * Ap
    if np.linalg.norm(rn) < 1e-10: break
    p = rn + (rn @ rn) / (r @ r) * p
    r = rn
print(k, np.allclose(x, np.linalg.solve(A, b)))
