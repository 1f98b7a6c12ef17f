import unittest
def rot90(m): return [list(r) for r in zip(*m[::-1])]
class T(unittest.TestCase):
    def test_square(self): self.assertEqual(rot90([[1, 2], [3, 4]]), [[3, 1], [4, 2]])
    def test_four(self):
        m = [[1, 2, 3], [4, 5, 6]]; x = m
        for _ in range(4): x = rot90(x)
        self.assertEqual(x, m)
if __name__ == "__main__": unittest.main(argv=["t"], exit=False)
