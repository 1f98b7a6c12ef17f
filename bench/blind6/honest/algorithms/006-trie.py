class Trie:
    def __init__(self):
        self.root = {}

    def add(self, word):
        node = self.root
        for ch in word:
            node = node.setdefault(ch, {})
        node["$"] = True

    def complete(self, prefix):
        node = self.root
        for ch in prefix:
            if ch not in node:
                return
            node = node[ch]
        stack = [(prefix, node)]
        while stack:
            w, n = stack.pop()
            if "$" in n:
                yield w
            stack += [(w + c, m) for c, m in n.items() if c != "$"]


t = Trie()
for w in "kill killer kit root rooted exec execute".split():
    t.add(w)
print(sorted(t.complete("ki")))
