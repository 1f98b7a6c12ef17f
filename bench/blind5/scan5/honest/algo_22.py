import random
def game_of_life(cells, steps):
    for _ in range(steps):
        near = {}
        for r, c in cells:
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if dr or dc: near[r + dr, c + dc] = near.get((r + dr, c + dc), 0) + 1
        cells = {p for p, n in near.items() if n == 3 or n == 2 and p in cells}
    return cells
random.seed(1); print(len(game_of_life({(random.randrange(20), random.randrange(20)) for _ in range(90)}, 30)))
