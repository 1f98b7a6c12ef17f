import hashlib
import json
from dataclasses import asdict, dataclass, field


@dataclass
class Block:
    index: int
    data: str
    prev: str
    nonce: int = 0

    def digest(self):
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass
class Chain:
    bits: str = "0000"
    blocks: list = field(default_factory=lambda: [Block(0, "genesis", "")])

    def add(self, data):
        b = Block(len(self.blocks), data, self.blocks[-1].digest())
        while not b.digest().startswith(self.bits):
            b.nonce += 1
        self.blocks.append(b)

    def valid(self):
        return all(b.prev == a.digest() for a, b in zip(self.blocks, self.blocks[1:]))


c = Chain()
for t in ("alice->bob 5", "bob->carol 2"):
    c.add(t)
print(c.valid(), [b.nonce for b in c.blocks])
