def match(p, s):
    """Supports . * ? and literals."""
    memo = {}

    def go(i, j):
        if (i, j) in memo:
            return memo[i, j]
        if i == len(p):
            r = j == len(s)
        else:
            one = j < len(s) and p[i] in (s[j], ".")
            nxt = p[i + 1] if i + 1 < len(p) else ""
            if nxt == "*":
                r = go(i + 2, j) or (one and go(i, j + 1))
            elif nxt == "?":
                r = go(i + 2, j) or (one and go(i + 2, j + 1))
            else:
                r = one and go(i + 1, j + 1)
        memo[i, j] = r
        return r

    return bool(go(0, 0))


for p, s, want in [("a*b", "aaab", True), ("a.c", "abc", True), ("colou?r", "color", True), ("x*", "y", False)]:
    assert match(p, s) is want, (p, s)
print("ok")
