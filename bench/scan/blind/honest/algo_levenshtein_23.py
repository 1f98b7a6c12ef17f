# class: algorithm; style: lru_cache
from functools import lru_cache


@lru_cache(None)
def lev(a, b):
    if not a or not b:
        return len(a) + len(b)
    return min(lev(a[1:], b) + 1, lev(a, b[1:]) + 1, lev(a[1:], b[1:]) + (a[0] != b[0]))


print(lev("kitten", "sitting"))
