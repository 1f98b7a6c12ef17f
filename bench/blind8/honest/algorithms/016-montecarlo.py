import math
import random
import statistics as st

S, K, T, R, V = 100.0, 105.0, 1.0, 0.03, 0.2


def cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def closed():
    d1 = (math.log(S / K) + (R + V * V / 2) * T) / (V * math.sqrt(T))
    return S * cdf(d1) - K * math.exp(-R * T) * cdf(d1 - V * math.sqrt(T))


def simulate(n=200_000):
    drift = (R - V * V / 2) * T
    for _ in range(n):
        z = random.gauss(0, 1)
        for s in (z, -z):
            yield max(0.0, S * math.exp(drift + V * math.sqrt(T) * s) - K) * math.exp(-R * T)


pay = list(simulate())
print(f"mc {st.fmean(pay):.3f} +- {st.stdev(pay) / math.sqrt(len(pay)):.3f}, exact {closed():.3f}")
