# what: a pool of workers within the limit, used three times
# network: none
import multiprocessing

for _ in range(3):
    with multiprocessing.Pool(3) as pool:
        assert sum(pool.map(abs, range(100))) == 4950
print("done")
