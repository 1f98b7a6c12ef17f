class Node:
    __slots__ = "k", "v", "prev", "next"

    def __init__(self, k=None, v=None):
        self.k, self.v, self.prev, self.next = k, v, None, None


class LRU:
    def __init__(self, cap):
        self.cap, self.map = cap, {}
        self.head, self.tail = Node(), Node()
        self.head.next, self.tail.prev = self.tail, self.head

    def _unlink(self, n):
        n.prev.next, n.next.prev = n.next, n.prev

    def _front(self, n):
        n.next, n.prev = self.head.next, self.head
        self.head.next.prev = n
        self.head.next = n

    def get(self, k):
        n = self.map.get(k)
        if n is None:
            return -1
        self._unlink(n)
        self._front(n)
        return n.v

    def put(self, k, v):
        if k in self.map:
            self._unlink(self.map.pop(k))
        elif len(self.map) >= self.cap:
            old = self.tail.prev
            self._unlink(old)
            del self.map[old.k]
        n = self.map[k] = Node(k, v)
        self._front(n)


c = LRU(2)
c.put(1, 1); c.put(2, 2); print(c.get(1)); c.put(3, 3); print(c.get(2))
