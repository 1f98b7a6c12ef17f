# class: algorithm, string search; style: tidy
def rabin_karp(text: str, pattern: str, base: int = 257, mod: int = (1 << 61) - 1) -> list[int]:
    n, m = len(text), len(pattern)
    if m == 0 or m > n:
        return []
    power = pow(base, m - 1, mod)
    want = have = 0
    for i in range(m):
        want = (want * base + ord(pattern[i])) % mod
        have = (have * base + ord(text[i])) % mod
    hits = []
    for i in range(n - m + 1):
        if want == have and text[i:i + m] == pattern:
            hits.append(i)
        if i < n - m:
            have = ((have - ord(text[i]) * power) * base + ord(text[i + m])) % mod
    return hits


assert rabin_karp("abracadabra", "abra") == [0, 7]
print("ok")
