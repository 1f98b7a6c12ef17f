from heapq import heappush, heappop

MAZE = ["S.#.....", "..#.###.", ".##.#...", "....#.#G"]
cells = {(r, c): ch for r, row in enumerate(MAZE) for c, ch in enumerate(row)}
start = next(k for k, v in cells.items() if v == "S")
goal = next(k for k, v in cells.items() if v == "G")
h = lambda p: abs(p[0] - goal[0]) + abs(p[1] - goal[1])
heap, seen = [(h(start), 0, start, [start])], set()
while heap:
    _, g, p, path = heappop(heap)
    if p == goal:
        print(len(path) - 1, path)
        break
    if p in seen:
        continue
    seen.add(p)
    for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        q = p[0] + dr, p[1] + dc
        if cells.get(q, "#") != "#":
            heappush(heap, (g + 1 + h(q), g + 1, q, path + [q]))
