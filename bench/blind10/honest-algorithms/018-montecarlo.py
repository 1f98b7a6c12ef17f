import numpy as np
from scipy.stats import norm


def black_scholes(s, k, r, sigma, t):
    d1 = (np.log(s / k) + (r + sigma ** 2 / 2) * t) / (sigma * np.sqrt(t))
    d2 = d1 - sigma * np.sqrt(t)
    return s * norm.cdf(d1) - k * np.exp(-r * t) * norm.cdf(d2)


def monte_carlo(s, k, r, sigma, t, n=200_000, seed=7):
    rng = np.random.default_rng(seed)
    z = rng.standard_normal(n // 2)
    z = np.concatenate([z, -z])  # antithetic
    end = s * np.exp((r - sigma ** 2 / 2) * t + sigma * np.sqrt(t) * z)
    pay = np.exp(-r * t) * np.maximum(end - k, 0)
    return pay.mean(), pay.std(ddof=1) / np.sqrt(n)


exact = black_scholes(100, 105, 0.03, 0.2, 1.0)
est, err = monte_carlo(100, 105, 0.03, 0.2, 1.0)
print(f"exact {exact:.4f}  simulated {est:.4f} +- {1.96 * err:.4f}")
