# least recently used cache
from collections import OrderedDict


class LRU:
    def __init__(self, size):
        self.size = size
        self._d = OrderedDict()

    def get(self, key, default=None):
        if key not in self._d:
            return default
        self._d.move_to_end(key)
        return self._d[key]

    def put(self, key, value):
        self._d[key] = value
        self._d.move_to_end(key)
        if len(self._d) > self.size:
            self._d.popitem(last=False)


c = LRU(2)
c.put("x", 1); c.put("y", 2); c.get("x"); c.put("z", 3)
assert c.get("y") is None
