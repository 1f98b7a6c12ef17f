import unittest

PAIRS = list(zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()))


def to_roman(n):
    out = ""
    for v, s in PAIRS:
        k, n = divmod(n, v)
        out += s * k
    return out


def from_roman(s):
    val = dict(zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000)))
    total = 0
    for a, b in zip(s, s[1:] + " "):
        total += -val[a] if val.get(b, 0) > val[a] else val[a]
    return total


class T(unittest.TestCase):
    def test_round(self):
        for n in range(1, 4000):
            self.assertEqual(from_roman(to_roman(n)), n)


if __name__ == "__main__":
    unittest.main()
