def lcs(a, b):
    t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            t[i][j] = t[i + 1][j + 1] + 1 if a[i] == b[j] else max(t[i + 1][j], t[i][j + 1])
    return t


def diff(a, b):
    t, i, j = lcs(a, b), 0, 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            yield "  " + a[i]
            i, j = i + 1, j + 1
        elif t[i + 1][j] >= t[i][j + 1]:
            yield "- " + a[i]
            i += 1
        else:
            yield "+ " + b[j]
            j += 1
    yield from ("- " + x for x in a[i:])
    yield from ("+ " + x for x in b[j:])


old = "alpha\nbeta\ngamma\ndelta".split()
new = "alpha\nbeta2\ngamma\nepsilon\ndelta".split()
print("\n".join(diff(old, new)))
