import random
def monte_carlo_pi(n, rng=random.Random(42)): return 4 * sum(rng.random() ** 2 + rng.random() ** 2 < 1 for _ in range(n)) / n
print(monte_carlo_pi(100_000))
