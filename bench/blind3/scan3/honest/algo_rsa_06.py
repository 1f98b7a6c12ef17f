import random


def is_prime(n, rounds=20):
    if n < 4:
        return n > 1
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for _ in range(rounds):
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
    while not is_prime(p := random.getrandbits(bits) | 1 | 1 << bits - 1):
        pass
    return p


p, q = prime(256), prime(256)
n, e = p * q, 65537
d = pow(e, -1, (p - 1) * (q - 1))
secret = int.from_bytes(b"attack at dawn", "big")
assert pow(pow(secret, e, n), d, n) == secret
