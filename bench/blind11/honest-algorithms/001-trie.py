"""A prefix tree that counts how many words share a prefix."""


class Trie:
    __slots__ = ("kids", "count", "end")

    def __init__(self):
        self.kids, self.count, self.end = {}, 0, False

    def add(self, word):
        node = self
        for ch in word:
            node = node.kids.setdefault(ch, Trie())
            node.count += 1
        node.end = True

    def starts(self, prefix):
        node = self
        for ch in prefix:
            node = node.kids.get(ch)
            if node is None:
                return 0
        return node.count


if __name__ == "__main__":
    t = Trie()
    for w in "car card care cat dog".split():
        t.add(w)
    assert t.starts("car") == 3
    print(t.starts("ca"))
