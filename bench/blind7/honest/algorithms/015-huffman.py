import heapq
from collections import Counter
from itertools import count


def codes(text):
    n = count()
    h = [(f, next(n), c) for c, f in Counter(text).items()]
    heapq.heapify(h)
    while len(h) > 1:
        a, b = heapq.heappop(h), heapq.heappop(h)
        heapq.heappush(h, (a[0] + b[0], next(n), (a[2], b[2])))
    out = {}

    def walk(t, p=""):
        if isinstance(t, str):
            out[t] = p or "0"
        else:
            walk(t[0], p + "0")
            walk(t[1], p + "1")

    walk(h[0][2])
    return out


s = "abracadabra alakazam"
c = codes(s)
bits = "".join(c[x] for x in s)
print(len(bits), "of", len(s) * 8)
