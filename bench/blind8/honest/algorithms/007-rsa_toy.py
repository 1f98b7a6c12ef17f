import random
from math import gcd


def probable_prime(n, rounds=20):
    if n < 4:
        return n in (2, 3)
    d, r = n - 1, 0
    while d % 2 == 0:
        d, r = d // 2, r + 1
    for _ in range(rounds):
        x = pow(random.randrange(2, n - 1), d, n)
        if x in (1, n - 1):
            continue
        for _ in range(r - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def prime(bits):
    while True:
        c = random.getrandbits(bits) | 1 << bits - 1 | 1
        if probable_prime(c):
            return c


p, q = prime(256), prime(256)
phi, e = (p - 1) * (q - 1), 65537
assert gcd(phi, e) == 1
d, n = pow(e, -1, phi), p * q
m = int.from_bytes(b"attack at dawn", "big")
c = pow(m, e, n)
print(hex(c)[:40], pow(c, d, n).to_bytes(14, "big"))
