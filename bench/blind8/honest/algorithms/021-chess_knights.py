MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def free(pos, seen, n):
    return [(pos[0] + a, pos[1] + b) for a, b in MOVES
            if 0 <= pos[0] + a < n and 0 <= pos[1] + b < n and (pos[0] + a, pos[1] + b) not in seen]


def tour(n=8, start=(0, 0)):
    path, seen = [start], {start}
    while len(path) < n * n:
        nxt = free(path[-1], seen, n)
        if not nxt:
            return None
        step = min(nxt, key=lambda p: (len(free(p, seen, n)), -abs(p[0] - n / 2) - abs(p[1] - n / 2)))
        path.append(step)
        seen.add(step)
    return path


p = tour()
order = {pos: i for i, pos in enumerate(p or [], 1)}
for r in range(8):
    print(" ".join(f"{order.get((r, c), 0):2}" for c in range(8)))
