"""Autocomplete.

Words are stored in a trie together with a weight.  A query returns the
``k`` heaviest words which start with the given prefix.
"""
import heapq


class Trie:
    """Prefix tree with weighted words."""

    def __init__(self):
        self.kids = {}
        self.weight = None

    def insert(self, word: str, weight: float) -> None:
        """Insert ``word``; a second insertion replaces the weight."""
        node = self
        for ch in word:
            node = node.kids.setdefault(ch, Trie())
        node.weight = weight

    def walk(self, prefix: str):
        """Yield ``(weight, word)`` for everything below this node."""
        if self.weight is not None:
            yield self.weight, prefix
        for ch, kid in self.kids.items():
            yield from kid.walk(prefix + ch)

    def complete(self, prefix: str, k: int = 3) -> list[str]:
        """Return up to ``k`` completions, the heaviest first."""
        node = self
        for ch in prefix:
            if ch not in node.kids:
                return []
            node = node.kids[ch]
        return [w for _, w in heapq.nlargest(k, node.walk(prefix))]


t = Trie()
for i, w in enumerate("kill killer kilo kitten kite kit cat catalog".split()):
    t.insert(w, (i * 37) % 11)
print(t.complete("ki"), t.complete("cat", 1), t.complete("dog"))
