import math


def sieve(n):
    flags = bytearray([1]) * (n + 1)
    flags[:2] = b"\0\0"
    for i in range(2, math.isqrt(n) + 1):
        if flags[i]:
            flags[i * i :: i] = bytes(len(range(i * i, n + 1, i)))
    return [i for i, f in enumerate(flags) if f]


P = sieve(100_000)
S = set(P)


def goldbach(n):
    return next((p, n - p) for p in P if n - p in S)


for n in range(4, 60, 2):
    print(n, *goldbach(n))
