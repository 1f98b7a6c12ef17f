# class: algorithm; style: test cases
import unittest


class Trie:
    def __init__(self):
        self.root = {}

    def insert(self, word):
        node = self.root
        for ch in word:
            node = node.setdefault(ch, {})
        node["$"] = True

    def __contains__(self, word):
        node = self.root
        for ch in word:
            if ch not in node:
                return False
            node = node[ch]
        return "$" in node


class Test(unittest.TestCase):
    def test_words(self):
        t = Trie()
        t.insert("shadow")
        self.assertIn("shadow", t)
        self.assertNotIn("shad", t)


if __name__ == "__main__":
    unittest.main(exit=False)
