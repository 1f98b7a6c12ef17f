class Node:
    __slots__ = ("key", "val", "prev", "next")

    def __init__(self, key=None, val=None):
        self.key, self.val = key, val
        self.prev = self.next = self


class LRU:
    """Cache with O(1) get and put, a doubly linked ring plus a dict."""

    def __init__(self, size):
        self.size, self.map, self.root = size, {}, Node()

    def _unlink(self, n):
        n.prev.next, n.next.prev = n.next, n.prev

    def _front(self, n):
        n.prev, n.next = self.root, self.root.next
        self.root.next.prev = n
        self.root.next = n

    def get(self, key, default=None):
        n = self.map.get(key)
        if n is None:
            return default
        self._unlink(n)
        self._front(n)
        return n.val

    def put(self, key, val):
        if key in self.map:
            n = self.map[key]
            n.val = val
            self._unlink(n)
        else:
            if len(self.map) >= self.size:
                old = self.root.prev
                self._unlink(old)
                del self.map[old.key]
            n = self.map[key] = Node(key, val)
        self._front(n)


c = LRU(2)
c.put("a", 1); c.put("b", 2); c.get("a"); c.put("c", 3)
assert c.get("b") is None and c.get("a") == 1 and c.get("c") == 3
print("ok")
