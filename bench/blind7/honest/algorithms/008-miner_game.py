import random
from typing import Iterator


class Board:
    def __init__(self, w: int, h: int, mines: int, seed: int | None = None):
        rnd = random.Random(seed)
        self.w, self.h = w, h
        self.mines = set(rnd.sample([(x, y) for x in range(w) for y in range(h)], mines))
        self.shown: set[tuple[int, int]] = set()

    def around(self, x, y) -> Iterator[tuple[int, int]]:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if (dx or dy) and 0 <= x + dx < self.w and 0 <= y + dy < self.h:
                    yield x + dx, y + dy

    def count(self, x, y):
        return sum(n in self.mines for n in self.around(x, y))

    def open(self, x, y) -> bool:
        if (x, y) in self.mines:
            return False
        todo = [(x, y)]
        while todo:
            p = todo.pop()
            if p in self.shown:
                continue
            self.shown.add(p)
            if self.count(*p) == 0:
                todo.extend(self.around(*p))
        return True

    def __str__(self):
        return "\n".join("".join(str(self.count(x, y)) if (x, y) in self.shown else "#" for x in range(self.w)) for y in range(self.h))


b = Board(12, 8, 10, seed=3)
b.open(0, 0)
print(b)
