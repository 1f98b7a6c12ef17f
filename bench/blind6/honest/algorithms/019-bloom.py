import hashlib
import math


class Bloom:
    def __init__(self, n, p=0.01):
        self.m = int(-n * math.log(p) / math.log(2) ** 2)
        self.k = max(1, round(self.m / n * math.log(2)))
        self.bits = bytearray(self.m // 8 + 1)

    def _pos(self, item):
        for i in range(self.k):
            h = hashlib.blake2b(item.encode(), salt=i.to_bytes(8, "big")).digest()
            yield int.from_bytes(h[:8], "big") % self.m

    def add(self, item):
        for p in self._pos(item):
            self.bits[p >> 3] |= 1 << (p & 7)

    def __contains__(self, item):
        return all(self.bits[p >> 3] >> (p & 7) & 1 for p in self._pos(item))


b = Bloom(1000)
for i in range(1000):
    b.add(f"k{i}")
print("k5" in b, sum(f"x{i}" in b for i in range(1000)))
