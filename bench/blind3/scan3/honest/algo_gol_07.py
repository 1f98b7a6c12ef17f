import collections
import itertools


def step(live):
    n = collections.Counter((x + dx, y + dy) for x, y in live for dx, dy in itertools.product((-1, 0, 1), repeat=2) if dx or dy)
    return {c for c, k in n.items() if k == 3 or k == 2 and c in live}


glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for _ in range(8):
    glider = step(glider)
print(sorted(glider))
