from collections import Counter
import itertools as it

OFF = [d for d in it.product((-1, 0, 1), repeat=2) if d != (0, 0)]


def step(live):
    n = Counter((x + dx, y + dy) for x, y in live for dx, dy in OFF)
    return {c for c, k in n.items() if k == 3 or k == 2 and c in live}


def show(live, size=12):
    for y in range(size):
        print("".join("#" if (x, y) in live else "." for x in range(size)))
    print()


glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for _ in range(4):
    show(glider)
    glider = step(glider)
