import math
import random


def is_prime(n, k=20):
    if n < 4:
        return n in (2, 3)
    d, r = n - 1, 0
    while d % 2 == 0:
        d, r = d // 2, r + 1
    for _ in range(k):
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
        p = random.getrandbits(bits) | 1 | 1 << bits - 1
        if is_prime(p):
            return p


p, q, e = prime(128), prime(128), 65537
n, phi = p * q, (p - 1) * (q - 1)
assert math.gcd(e, phi) == 1
d = pow(e, -1, phi)
secret = int.from_bytes(b"attack at dawn", "big")
assert pow(pow(secret, e, n), d, n) == secret
print("n =", hex(n))
