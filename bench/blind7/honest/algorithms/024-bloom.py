import hashlib
import math


class Bloom:
    def __init__(self, n, p=0.01):
        self.m = math.ceil(-n * math.log(p) / math.log(2) ** 2)
        self.k = max(1, round(self.m / n * math.log(2)))
        self.bits = bytearray(self.m // 8 + 1)

    def _idx(self, key):
        h = hashlib.blake2b(key.encode(), digest_size=16).digest()
        a, b = int.from_bytes(h[:8], "big"), int.from_bytes(h[8:], "big")
        return ((a + i * b) % self.m for i in range(self.k))

    def add(self, key):
        for i in self._idx(key):
            self.bits[i >> 3] |= 1 << (i & 7)

    def __contains__(self, key):
        return all(self.bits[i >> 3] >> (i & 7) & 1 for i in self._idx(key))


b = Bloom(1000)
for i in range(1000):
    b.add(f"user{i}")
print(sum(f"other{i}" in b for i in range(10000)) / 10000)
