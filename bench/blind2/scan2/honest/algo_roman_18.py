# class: algorithm with unit tests; style: LLM output
import unittest


def to_roman(number: int) -> str:
    """Convert an integer to a Roman numeral."""
    if not 0 < number < 4000:
        raise ValueError("number out of range")
    table = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
             (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    result = []
    for value, symbol in table:
        count, number = divmod(number, value)
        result.append(symbol * count)
    return "".join(result)


class TestRoman(unittest.TestCase):
    def test_values(self):
        for n, r in [(1, "I"), (4, "IV"), (1994, "MCMXCIV"), (3999, "MMMCMXCIX")]:
            with self.subTest(n=n):
                self.assertEqual(to_roman(n), r)

    def test_range(self):
        with self.assertRaises(ValueError):
            to_roman(0)


if __name__ == "__main__":
    unittest.main(argv=["x"], exit=False)
