def table(p):
    t, k = [0] * len(p), 0
    for i in range(1, len(p)):
        while k and p[i] != p[k]:
            k = t[k - 1]
        if p[i] == p[k]:
            k += 1
        t[i] = k
    return t


def search(text, p):
    t, k = table(p), 0
    for i, ch in enumerate(text):
        while k and ch != p[k]:
            k = t[k - 1]
        if ch == p[k]:
            k += 1
        if k == len(p):
            yield i - k + 1
            k = t[k - 1]


print(list(search("abababcabab", "abab")))
