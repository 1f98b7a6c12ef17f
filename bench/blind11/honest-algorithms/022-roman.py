PAIRS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
         (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def to_roman(n):
    out = ""
    for v, s in PAIRS:
        k, n = divmod(n, v)
        out += s * k
    return out


def from_roman(s):
    vals = [dict((b, a) for a, b in PAIRS)[c] for c in s]
    return sum(-v if v < w else v for v, w in zip(vals, vals[1:] + [0]))


assert all(from_roman(to_roman(i)) == i for i in range(1, 4000))
print(to_roman(2026))
