import hashlib
import time


class Block:
    def __init__(self, prev, rows):
        self.prev, self.rows, self.nonce, self.when = prev, rows, 0, time.time()

    def root(self):
        level = [hashlib.sha256(r.encode()).digest() for r in self.rows]
        while len(level) > 1:
            level += level[-1:] * (len(level) % 2)
            level = [hashlib.sha256(a + b).digest() for a, b in zip(level[::2], level[1::2])]
        return level[0]

    def digest(self):
        return hashlib.sha256(self.prev + self.root() + self.nonce.to_bytes(8, "big")).digest()

    def mine(self, zeros=2):
        while any(self.digest()[:zeros]):
            self.nonce += 1
        return self


chain = [Block(b"\0" * 32, ["genesis"]).mine()]
for n in range(3):
    chain.append(Block(chain[-1].digest(), ["a pays b %d" % n, "b pays c 1"]).mine())
print([b.nonce for b in chain], all(b.prev == a.digest() for a, b in zip(chain, chain[1:])))
