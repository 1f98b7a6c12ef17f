# class: process pool; possible: low medium
import multiprocessing as mp
def collatz(n):
    best = (0, 0)
    for i in range(n, n + 3000):
        k, x = 0, i
        while x != 1: x = x // 2 if x % 2 == 0 else 3 * x + 1; k += 1
        best = max(best, (k, i))
    return best
if __name__ == "__main__":
    with mp.Pool(4, maxtasksperchild=3) as p: print(max(p.imap_unordered(collatz, range(1, 120000, 3000))))
