import heapq

MAZE = """\
S..#....
.#.#.##.
.#...#..
.####.#.
......#E"""
grid = MAZE.split("\n")
find = lambda ch: next((x, y) for y, r in enumerate(grid) for x, c in enumerate(r) if c == ch)
start, goal = find("S"), find("E")
heap, came, cost = [(0, start)], {start: None}, {start: 0}
while heap:
    _, cur = heapq.heappop(heap)
    if cur == goal:
        break
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        x, y = cur[0] + dx, cur[1] + dy
        if 0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] != "#" and cost[cur] + 1 < cost.get((x, y), 1e9):
            cost[x, y], came[x, y] = cost[cur] + 1, cur
            heapq.heappush(heap, (cost[x, y] + abs(x - goal[0]) + abs(y - goal[1]), (x, y)))
print(cost.get(goal))
