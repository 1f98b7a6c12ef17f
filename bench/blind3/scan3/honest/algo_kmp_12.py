def prefix(p):
    t, k = [0] * len(p), 0
    for i in range(1, len(p)):
        while k and p[i] != p[k]:
            k = t[k - 1]
        k += p[i] == p[k]
        t[i] = k
    return t


def find(text, p):
    t, k, hits = prefix(p), 0, []
    for i, c in enumerate(text):
        while k and c != p[k]:
            k = t[k - 1]
        k += c == p[k]
        if k == len(p):
            hits.append(i - k + 1)
            k = t[k - 1]
    return hits


assert find("ababcababcabc", "abc") == [2, 7, 10]
