"""Find the shift of a Caesar cipher with chi-squared letter statistics."""
from collections import Counter
from string import ascii_lowercase as abc

FREQ = dict(zip(abc, [8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2.0, 6.1, 7.0, .15, .77, 4.0, 2.4,
                      6.7, 7.5, 1.9, .095, 6.0, 6.3, 9.1, 2.8, .98, 2.4, .15, 2.0, .074]))


def shift(s, k):
    return s.lower().translate(str.maketrans(abc, abc[k:] + abc[:k]))


def chi2(s):
    c = Counter(x for x in s if x in FREQ)
    n = sum(c.values())
    return sum((c[x] - n * f / 100) ** 2 / (n * f / 100) for x, f in FREQ.items())


def crack(s):
    return min(range(26), key=lambda k: chi2(shift(s, k)))


plain = "attack the castle at dawn and bring the secret letter to the gate"
secret = shift(plain, 11)
k = crack(secret)
print(secret, "|", k, "|", shift(secret, k))
