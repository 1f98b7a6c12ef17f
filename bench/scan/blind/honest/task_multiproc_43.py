# class: processes; style: multiprocessing
from multiprocessing import Pool
import os


def work(n):
    return os.getpid(), sum(i * i for i in range(n))


if __name__ == "__main__":
    with Pool(4) as pool:
        for pid, total in pool.imap_unordered(work, range(1000, 20000, 1000)):
            print(pid, total)
