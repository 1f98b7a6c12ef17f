import numpy as np

rng = np.random.default_rng(0)
x = np.linspace(0, 10, 50)
y = 2.5 * x + 1 + rng.normal(0, 0.5, x.size)
a, b = np.polyfit(x, y, 1)
print(f"slope={a:.3f} intercept={b:.3f} rmse={np.sqrt(np.mean((a*x+b-y)**2)):.3f}")
