import random
import time


def quick(a):
    if len(a) < 2:
        return a
    p = a[len(a) // 2]
    return quick([x for x in a if x < p]) + [x for x in a if x == p] + quick([x for x in a if x > p])


def merge(a):
    if len(a) < 2:
        return a
    m = len(a) // 2
    l, r, out = merge(a[:m]), merge(a[m:]), []
    i = j = 0
    while i < len(l) and j < len(r):
        if l[i] <= r[j]:
            out.append(l[i]); i += 1
        else:
            out.append(r[j]); j += 1
    return out + l[i:] + r[j:]


data = [random.random() for _ in range(20000)]
for f in (quick, merge, sorted):
    t = time.perf_counter()
    assert f(data) == sorted(data)
    print(f.__name__, round(time.perf_counter() - t, 3))
