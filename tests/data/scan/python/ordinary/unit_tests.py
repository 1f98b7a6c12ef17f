import unittest

def slug(s):
    return "-".join(s.lower().split())

class SlugTest(unittest.TestCase):
    def setUp(self):
        self.cases = {"Hello World": "hello-world", "A": "a"}

    def test_all(self):
        for k, v in self.cases.items():
            with self.subTest(k):
                self.assertEqual(slug(k), v)

if __name__ == "__main__":
    unittest.main()
