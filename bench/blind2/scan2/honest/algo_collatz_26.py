# class: algorithm on all cores; style: multiprocessing
from multiprocessing import Pool

def steps(n):
    c = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        c += 1
    return c

if __name__ == "__main__":
    with Pool(2) as pool:
        s = pool.map(steps, range(1, 20000), chunksize=500)
    print(max(range(len(s)), key=s.__getitem__) + 1, max(s))
