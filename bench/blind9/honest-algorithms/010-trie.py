from __future__ import annotations


class Trie:
    def __init__(self) -> None:
        self.kids: dict[str, Trie] = {}
        self.end = False

    def insert(self, word: str) -> None:
        node = self
        for ch in word:
            node = node.kids.setdefault(ch, Trie())
        node.end = True

    def find(self, prefix: str) -> Trie | None:
        node = self
        for ch in prefix:
            node = node.kids.get(ch)
            if node is None:
                return None
        return node

    def words(self, prefix: str = ""):
        if self.end:
            yield prefix
        for ch in sorted(self.kids):
            yield from self.kids[ch].words(prefix + ch)


t = Trie()
for w in "car card care cart cat dog dot kill shell password".split():
    t.insert(w)
for p in ("car", "do", "x"):
    n = t.find(p)
    print(p, list(n.words(p)) if n else [])
