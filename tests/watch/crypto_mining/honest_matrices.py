# what: products of matrices in a pool of workers, as numpy or a solver would do
# network: none
import array, multiprocessing, time

def product(seed):
    n, until, trace = 60, time.monotonic() + 0.9, 0.0
    a = [array.array("d", ((seed + i * j) % 17 / 16 for j in range(n))) for i in range(n)]
    while time.monotonic() < until:
        b = [array.array("d", (sum(x * y for x, y in zip(row, column)) % 3 for column in a)) for row in a]
        trace += sum(b[i][i] for i in range(n))
    return trace

with multiprocessing.Pool(2) as pool:
    print("%.0f" % (sum(pool.map(product, range(4))) * 0))
print("done")
