import hashlib
import json
import time


class Block:
    def __init__(self, idx, data, prev):
        self.idx, self.data, self.prev, self.nonce = idx, data, prev, 0
        self.ts = time.time()

    def digest(self):
        return hashlib.sha256(json.dumps(self.__dict__, sort_keys=True).encode()).hexdigest()

    def mine(self, zeros=3):
        while not self.digest().startswith("0" * zeros):
            self.nonce += 1
        return self.digest()


prev, chain = "0", []
for i, d in enumerate(["genesis", "a->b 5", "b->c 2"]):
    b = Block(i, d, prev)
    prev = b.mine()
    chain.append(b)
    print(i, b.nonce, prev[:16])
assert all(chain[k + 1].prev == chain[k].digest() for k in range(len(chain) - 1))
