"""A least-recently-used cache.

The implementation combines a dictionary with a doubly linked list.  Both
``get`` and ``put`` run in constant time.
"""


class Node:
    """One element of the linked list."""

    __slots__ = ("key", "value", "prev", "next")

    def __init__(self, key=None, value=None):
        self.key, self.value = key, value
        self.prev = self.next = None


class LRUCache:
    """Cache that evicts the entry which was not used for the longest time."""

    def __init__(self, capacity: int):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self.map = {}
        self.head, self.tail = Node(), Node()
        self.head.next, self.tail.prev = self.tail, self.head

    def _unlink(self, n):
        n.prev.next, n.next.prev = n.next, n.prev

    def _front(self, n):
        n.prev, n.next = self.head, self.head.next
        self.head.next.prev = n
        self.head.next = n

    def get(self, key, default=None):
        n = self.map.get(key)
        if n is None:
            return default
        self._unlink(n)
        self._front(n)
        return n.value

    def put(self, key, value):
        if key in self.map:
            self._unlink(self.map.pop(key))
        elif len(self.map) >= self.capacity:
            old = self.tail.prev
            self._unlink(old)
            del self.map[old.key]
        n = self.map[key] = Node(key, value)
        self._front(n)


c = LRUCache(2)
c.put("a", 1); c.put("b", 2); c.get("a"); c.put("c", 3)
print(sorted(c.map))
