import random
import statistics
random.seed(7)
runs = [4 * sum(random.random() ** 2 + random.random() ** 2 <= 1 for _ in range(10000)) / 10000 for _ in range(10)]
print(statistics.mean(runs), statistics.stdev(runs))
