# class: algorithm; style: compact
def match(p, s):
    if not p: return not s
    first = bool(s) and p[0] in (s[0], '.')
    if len(p) > 1 and p[1] == '*':
        return match(p[2:], s) or (first and match(p, s[1:]))
    return first and match(p[1:], s[1:])
for p, s in [("a*b", "aaab"), (".*", "xyz"), ("c*a*b", "aab"), ("mis*is*p*.", "mississippi")]:
    print(p, s, match(p, s))
