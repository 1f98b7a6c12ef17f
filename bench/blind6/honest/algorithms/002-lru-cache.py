from collections import OrderedDict


class LRU:
    def __init__(self, cap):
        self.cap, self.data = cap, OrderedDict()

    def get(self, k, default=None):
        if k in self.data:
            self.data.move_to_end(k)
            return self.data[k]
        return default

    def put(self, k, v):
        self.data[k] = v
        self.data.move_to_end(k)
        if len(self.data) > self.cap:
            self.data.popitem(last=False)


c = LRU(2)
for i in range(4):
    c.put(i, i * i)
assert c.get(0) is None and c.get(3) == 9
print(list(c.data))
