from math import factorial


def unrank(items, k):
    items, out = list(items), []
    while items:
        f = factorial(len(items) - 1)
        i, k = divmod(k, f)
        out.append(items.pop(i))
    return out


def rank(perm):
    order = sorted(perm)
    r = 0
    for x in perm:
        i = order.index(x)
        r += i * factorial(len(order) - 1)
        order.pop(i)
    return r


assert all(rank(unrank("abcd", k)) == k for k in range(24))
print("".join(unrank("0123456789", 999_999)))
