import unittest


def bowling(rolls):
    score = at = 0
    for _ in range(10):
        if rolls[at] == 10:
            score += 10 + rolls[at + 1] + rolls[at + 2]
            at += 1
        elif rolls[at] + rolls[at + 1] == 10:
            score += 10 + rolls[at + 2]
            at += 2
        else:
            score += rolls[at] + rolls[at + 1]
            at += 2
    return score


class Bowling(unittest.TestCase):
    def test_perfect(self):
        self.assertEqual(bowling([10] * 12), 300)

    def test_gutter(self):
        self.assertEqual(bowling([0] * 20), 0)

    def test_spare(self):
        self.assertEqual(bowling([5, 5, 3] + [0] * 17), 16)


if __name__ == "__main__":
    unittest.main()
