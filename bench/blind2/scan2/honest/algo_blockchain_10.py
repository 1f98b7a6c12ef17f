# class: algorithm, a toy block chain with proof of work; style: tutorial
import hashlib, json, time

class Block:
    def __init__(self, index, data, prev):
        self.index, self.data, self.prev, self.nonce = index, data, prev, 0
        self.time = time.time()
        self.hash = self.mine()

    def digest(self):
        return hashlib.sha256(json.dumps([self.index, self.time, self.data, self.prev, self.nonce]).encode()).hexdigest()

    def mine(self, difficulty=3):
        while True:
            h = self.digest()
            if h.startswith("0" * difficulty):
                return h
            self.nonce += 1

chain = [Block(0, "genesis", "0")]
for t in ["alice->bob 3", "bob->carol 1"]:
    chain.append(Block(len(chain), t, chain[-1].hash))
print(all(b.prev == a.hash for a, b in zip(chain, chain[1:])), [b.nonce > 0 for b in chain])
