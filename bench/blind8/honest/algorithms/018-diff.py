def lcs(a, b):
    t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            t[i][j] = t[i + 1][j + 1] + 1 if a[i] == b[j] else max(t[i + 1][j], t[i][j + 1])
    return t


def diff(a, b):
    t, i, j = lcs(a, b), 0, 0
    while i < len(a) or j < len(b):
        if i < len(a) and j < len(b) and a[i] == b[j]:
            yield " ", a[i]
            i, j = i + 1, j + 1
        elif j == len(b) or (i < len(a) and t[i + 1][j] >= t[i][j + 1]):
            yield "-", a[i]
            i += 1
        else:
            yield "+", b[j]
            j += 1


OLD = "port 22\nPermitRootLogin yes\nUseDNS no".split("\n")
NEW = "port 22\nPermitRootLogin no\nUseDNS no\nX11Forwarding no".split("\n")
print("\n".join(m + l for m, l in diff(OLD, NEW)))
