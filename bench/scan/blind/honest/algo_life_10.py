# class: puzzle; style: set based
from collections import Counter


def step(cells):
    near = Counter((x + i, y + j) for x, y in cells for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    return {c for c, n in near.items() if n == 3 or (n == 2 and c in cells)}


glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for _ in range(4):
    glider = step(glider)
print(sorted(glider))
