# roman numerals both ways
VALS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
def to(n):
    s = ""
    for v, r in VALS:
        s += r * (n // v); n %= v
    return s
def back(s):
    d = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    return sum(-d[a] if d[a] < d.get(b, 0) else d[a] for a, b in zip(s, s[1:] + " "))
assert all(back(to(i)) == i for i in range(1, 4000))
