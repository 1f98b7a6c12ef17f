from collections import Counter

GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}


def step(live):
    near = Counter((x + dx, y + dy) for x, y in live for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
    return {p for p, n in near.items() if n == 3 or n == 2 and p in live}


world = GLIDER
for gen in range(8):
    print(f"gen {gen}")
    for y in range(8):
        print("".join("o" if (x, y) in world else "." for x in range(8)))
    world = step(world)
