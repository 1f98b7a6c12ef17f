import random
from math import gcd


def is_prime(n, k=12):
    if n < 4:
        return n > 1
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for _ in range(k):
        x = pow(random.randrange(2, n - 1), d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def prime(bits):
    while True:
        p = random.getrandbits(bits) | 1 | 1 << (bits - 1)
        if is_prime(p) and gcd(p - 1, 65537) == 1:
            return p


p, q = prime(128), prime(128)
n, d = p * q, pow(65537, -1, (p - 1) * (q - 1))
m = int.from_bytes(b"hello", "big")
c = pow(m, 65537, n)
print(pow(c, d, n).to_bytes(5, "big"))
