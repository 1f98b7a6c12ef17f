from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

class LRU(Generic[K, V]):
    def __init__(self, cap: int) -> None:
        self.cap, self.data = cap, OrderedDict()

    def get(self, k: K):
        if k in self.data:
            self.data.move_to_end(k)
            return self.data[k]

    def put(self, k: K, v: V) -> None:
        self.data[k] = v
        self.data.move_to_end(k)
        if len(self.data) > self.cap:
            self.data.popitem(last=False)

c = LRU[str, int](2)
for i, k in enumerate("abac"):
    c.put(k, i)
assert c.get("b") is None and c.get("a") == 2
