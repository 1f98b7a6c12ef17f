# class: algorithm; style: numpy
import numpy as np

rng = np.random.default_rng(0)
a = rng.normal(size=(50, 50))
q, r = np.linalg.qr(a)
assert np.allclose(q @ r, a)
print(np.trace(r).round(3))
