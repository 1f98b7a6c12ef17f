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
            if ch not in node.kids:
                return None
            node = node.kids[ch]
        return node

    def complete(self, prefix: str):
        start = self.find(prefix)
        if not start:
            return
        stack = [(prefix, start)]
        while stack:
            w, n = stack.pop()
            if n.end:
                yield w
            stack.extend((w + c, k) for c, k in sorted(n.kids.items(), reverse=True))


t = Trie()
for w in "car card care cat dog do".split():
    t.insert(w)
print(list(t.complete("car")), list(t.complete("do")))
