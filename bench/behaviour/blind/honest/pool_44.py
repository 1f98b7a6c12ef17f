# class: data work; possible: low medium; style: process pool, short tasks
from concurrent.futures import ProcessPoolExecutor
import math


def f(n):
    return sum(math.sin(i) for i in range(n))


if __name__ == "__main__":
    with ProcessPoolExecutor(3) as ex:
        print(sum(ex.map(f, [20000] * 300)))
