import hashlib
import math


class BloomFilter:
    """Probabilistic set membership.

    ``capacity`` is the number of expected elements and ``error`` the wanted
    false positive rate; size and number of hashes are derived from them.
    """

    def __init__(self, capacity: int, error: float = 0.01):
        self.bits = math.ceil(-capacity * math.log(error) / math.log(2) ** 2)
        self.hashes = max(1, round(self.bits / capacity * math.log(2)))
        self.array = bytearray((self.bits + 7) // 8)

    def _positions(self, item: str):
        digest = hashlib.sha256(item.encode()).digest()
        a, b = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big")
        return ((a + i * b) % self.bits for i in range(self.hashes))

    def add(self, item: str) -> None:
        for p in self._positions(item):
            self.array[p >> 3] |= 1 << (p & 7)

    def __contains__(self, item: str) -> bool:
        return all(self.array[p >> 3] & (1 << (p & 7)) for p in self._positions(item))


f = BloomFilter(1000)
for i in range(1000):
    f.add(f"user-{i}")
wrong = sum(f"guest-{i}" in f for i in range(10000))
print("user-7" in f, f"{wrong / 100:.2f}% false positives")
