class Heap:
    """Min-heap of hashable keys with changeable priorities."""

    def __init__(self):
        self.a, self.pos = [], {}

    def _swap(self, i, j):
        self.a[i], self.a[j] = self.a[j], self.a[i]
        self.pos[self.a[i][1]], self.pos[self.a[j][1]] = i, j

    def _up(self, i):
        while i and self.a[i] < self.a[(i - 1) // 2]:
            self._swap(i, (i - 1) // 2)
            i = (i - 1) // 2

    def _down(self, i):
        while (c := 2 * i + 1) < len(self.a):
            if c + 1 < len(self.a) and self.a[c + 1] < self.a[c]:
                c += 1
            if self.a[i] <= self.a[c]:
                return
            self._swap(i, c)
            i = c

    def push(self, key, pr):
        if key in self.pos:
            i = self.pos[key]
            self.a[i] = (pr, key)
        else:
            i = len(self.a)
            self.a.append((pr, key))
            self.pos[key] = i
        self._up(i)
        self._down(self.pos[key])

    def pop(self):
        self._swap(0, len(self.a) - 1)
        pr, key = self.a.pop()
        del self.pos[key]
        self._down(0)
        return key, pr


h = Heap()
for k, p in zip("abcd", (4, 2, 9, 7)):
    h.push(k, p)
h.push("c", 1)
print([h.pop() for _ in range(4)])
