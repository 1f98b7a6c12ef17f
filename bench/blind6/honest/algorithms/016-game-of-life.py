import random
from collections import Counter

W, H = 30, 12
alive = {(random.randrange(W), random.randrange(H)) for _ in range(90)}
for gen in range(20):
    counts = Counter(((x + dx) % W, (y + dy) % H) for x, y in alive
                     for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
    alive = {c for c, n in counts.items() if n == 3 or (n == 2 and c in alive)}
for y in range(H):
    print("".join("#" if (x, y) in alive else "." for x in range(W)))
