import re
import unittest

def slug(s: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", s.lower()).strip("-")

class SlugTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(slug("Hello, World!"), "hello-world")

    def test_empty(self):
        self.assertEqual(slug("--"), "")

if __name__ == "__main__":
    unittest.main()
