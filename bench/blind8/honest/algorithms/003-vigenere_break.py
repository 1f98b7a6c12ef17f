from collections import Counter
from string import ascii_lowercase as AZ

FREQ = dict(zip(AZ, [8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2, 6.1, 7, .15, .77, 4, 2.4, 6.7, 7.5, 1.9, .1, 6, 6.3, 9.1, 2.8, .98, 2.4, .15, 2, .07]))


def shift(text, key):
    return "".join(AZ[(AZ.index(c) + AZ.index(key[i % len(key)])) % 26] for i, c in enumerate(text))


def unshift(text, key):
    return shift(text, [AZ[-AZ.index(k) % 26] for k in key])


def ic(s):
    n = len(s)
    return sum(v * (v - 1) for v in Counter(s).values()) / (n * (n - 1))


def best_shift(col):
    def chi(k):
        c = Counter(unshift(col, k))
        return sum((c[a] - len(col) * f / 100) ** 2 / (len(col) * f / 100) for a, f in FREQ.items())
    return min(AZ, key=chi)


plain = ("itwasthebestoftimesitwastheworstoftimesitwastheageofwisdomitwastheageoffoolishness"
         "itwastheepochofbeliefitwastheepochofincredulityitwastheseasonoflightitwastheseasonofdarkness")
secret = shift(plain, "lemon")
klen = max(range(2, 9), key=lambda n: sum(ic(secret[i::n]) for i in range(n)) / n)
key = "".join(best_shift(secret[i::klen]) for i in range(klen))
print(klen, key, unshift(secret, key)[:40])
