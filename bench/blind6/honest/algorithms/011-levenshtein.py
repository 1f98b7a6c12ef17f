from functools import lru_cache


def distance(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]


WORDS = ["passwd", "shadow", "sudoers", "hosts", "crontab"]


@lru_cache
def suggest(w):
    return min(WORDS, key=lambda k: distance(w, k))


print([suggest(w) for w in ("pasword", "cronttab", "host")])
