import hashlib
import math


class Bloom:
    def __init__(self, n, p=0.01):
        self.m = math.ceil(-n * math.log(p) / math.log(2) ** 2)
        self.k = round(self.m / n * math.log(2))
        self.bits = bytearray(self.m // 8 + 1)

    def _pos(self, item):
        h = hashlib.blake2b(item.encode(), digest_size=16).digest()
        a, b = int.from_bytes(h[:8], "little"), int.from_bytes(h[8:], "little") | 1
        return ((a + i * b) % self.m for i in range(self.k))

    def add(self, item):
        for p in self._pos(item):
            self.bits[p >> 3] |= 1 << (p & 7)

    def __contains__(self, item):
        return all(self.bits[p >> 3] >> (p & 7) & 1 for p in self._pos(item))


f = Bloom(10_000)
for i in range(10_000):
    f.add(f"user{i}")
assert all(f"user{i}" in f for i in range(0, 10_000, 37))
print(sum(f"other{i}" in f for i in range(10_000)) / 10_000)
