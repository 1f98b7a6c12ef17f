import time

def step(cells):
    from itertools import product
    count = {}
    for (x, y) in cells:
        for dx, dy in product((-1, 0, 1), repeat=2):
            if dx or dy:
                count[x + dx, y + dy] = count.get((x + dx, y + dy), 0) + 1
    return {c for c, n in count.items() if n == 3 or (n == 2 and c in cells)}

cells = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for _ in range(4):
    cells = step(cells)
    time.sleep(0)
print(sorted(cells))
