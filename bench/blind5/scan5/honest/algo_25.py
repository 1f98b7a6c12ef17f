def kmp(text, pat):
    fail, k = [0], 0
    for c in pat[1:]:
        while k and pat[k] != c: k = fail[k - 1]
        k += pat[k] == c; fail.append(k)
    k, hits = 0, []
    for i, c in enumerate(text):
        while k and pat[k] != c: k = fail[k - 1]
        k += pat[k] == c
        if k == len(pat): hits.append(i - k + 1); k = fail[k - 1]
    return hits
print(kmp("abracadabra", "abra"))
