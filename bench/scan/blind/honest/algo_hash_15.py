# class: puzzle, proof of work toy; style: blockchain tutorial
import hashlib
import json
import time


class Block:
    def __init__(self, index, data, previous):
        self.index, self.data, self.previous, self.nonce = index, data, previous, 0
        self.time = time.time()

    def digest(self):
        return hashlib.sha256(json.dumps(self.__dict__, sort_keys=True).encode()).hexdigest()

    def mine(self, difficulty=3):
        while not self.digest().startswith("0" * difficulty):
            self.nonce += 1
        return self.digest()


chain = [Block(0, "genesis", "0")]
for i in range(1, 4):
    chain.append(Block(i, f"tx {i}", chain[-1].mine()))
print(chain[-1].previous)
