import hashlib
class MerkleTree:
    def __init__(self, leaves):
        level = [hashlib.sha256(x.encode()).digest() for x in leaves]
        self.levels = [level]
        while len(level) > 1:
            if len(level) % 2: level = level + level[-1:]
            level = [hashlib.sha256(a + b).digest() for a, b in zip(level[::2], level[1::2])]
            self.levels.append(level)
    @property
    def root(self): return self.levels[-1][0].hex()
print(MerkleTree(list("abcde")).root)
