from functools import reduce

GRID = (
    "53..7...." "6..195..." ".98....6."
    "8...6...3" "4..8.3..1" "7...2...6"
    ".6....28." "...419..5" "....8..79"
)


def peers(i):
    r, c = divmod(i, 9)
    b = (r // 3 * 27) + (c // 3 * 3)
    return ({r * 9 + k for k in range(9)} | {k * 9 + c for k in range(9)}
            | {b + x * 9 + y for x in range(3) for y in range(3)}) - {i}


PEERS = [peers(i) for i in range(81)]


def solve(cells):
    best, opts = None, None
    for i, v in enumerate(cells):
        if v:
            continue
        used = reduce(lambda m, p: m | 1 << cells[p], PEERS[i], 0)
        free = [d for d in range(1, 10) if not used >> d & 1]
        if best is None or len(free) < len(opts):
            best, opts = i, free
    if best is None:
        return cells
    for d in opts:
        cells[best] = d
        if solve(cells):
            return cells
    cells[best] = 0
    return None


out = solve([0 if c == "." else int(c) for c in GRID])
for r in range(9):
    print(*out[r * 9:r * 9 + 9])
