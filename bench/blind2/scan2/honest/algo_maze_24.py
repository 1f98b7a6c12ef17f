# class: algorithm; style: over-commented LLM output
"""
Maze Generator and Solver
=========================
This script generates a random maze using depth-first search (recursive backtracking) and then solves it
using breadth-first search. The maze is printed to the console.
"""
import random
from collections import deque

# Constants
WIDTH, HEIGHT = 21, 11  # must be odd

def generate(width, height):
    """Generate a maze as a list of lists of characters."""
    grid = [["#"] * width for _ in range(height)]
    stack = [(1, 1)]
    grid[1][1] = " "
    while stack:
        x, y = stack[-1]
        # Collect all unvisited neighbours
        options = [(dx, dy) for dx, dy in ((2, 0), (-2, 0), (0, 2), (0, -2))
                   if 0 < x + dx < width and 0 < y + dy < height and grid[y + dy][x + dx] == "#"]
        if not options:
            stack.pop()
            continue
        dx, dy = random.choice(options)
        grid[y + dy // 2][x + dx // 2] = grid[y + dy][x + dx] = " "
        stack.append((x + dx, y + dy))
    return grid

def solve(grid):
    """Return the length of the shortest path from start to target."""
    target = (len(grid[0]) - 2, len(grid) - 2)
    queue, seen = deque([((1, 1), 0)]), {(1, 1)}
    while queue:
        (x, y), d = queue.popleft()
        if (x, y) == target:
            return d
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            n = (x + dx, y + dy)
            if n not in seen and grid[n[1]][n[0]] == " ":
                seen.add(n)
                queue.append((n, d + 1))

random.seed(42)
maze = generate(WIDTH, HEIGHT)
print("\n".join("".join(row) for row in maze))
print(f"✅ Shortest path: {solve(maze)} steps")
