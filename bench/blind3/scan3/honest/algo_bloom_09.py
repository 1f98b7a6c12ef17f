import hashlib
import math


class Bloom:
    def __init__(self, n, p=0.01):
        self.m = math.ceil(-n * math.log(p) / math.log(2) ** 2)
        self.k = round(self.m / n * math.log(2))
        self.bits = bytearray(self.m // 8 + 1)

    def places(self, item):
        h = hashlib.sha256(item.encode()).digest()
        a, b = int.from_bytes(h[:8], "big"), int.from_bytes(h[8:16], "big")
        return ((a + i * b) % self.m for i in range(self.k))

    def add(self, item):
        for i in self.places(item):
            self.bits[i >> 3] |= 1 << (i & 7)

    def __contains__(self, item):
        return all(self.bits[i >> 3] >> (i & 7) & 1 for i in self.places(item))


b = Bloom(1000)
for i in range(1000):
    b.add("key%d" % i)
print(sum("other%d" % i in b for i in range(10000)) / 10000)
