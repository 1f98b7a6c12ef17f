from functools import lru_cache, partial, reduce
import sys
sys.setrecursionlimit(5000)

@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

double = partial(lambda a, b: a * b, 2)
print(fib(300), double(4), reduce(lambda a, b: a + b, [1, 2, 3]))
