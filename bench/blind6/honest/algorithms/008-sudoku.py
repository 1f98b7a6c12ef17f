import sys

GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def peers(i):
    r, c = divmod(i, 9)
    br, bc = r // 3 * 3, c // 3 * 3
    return {j for j in range(81) if j // 9 == r or j % 9 == c or (j // 27 * 3 == br and j % 9 // 3 * 3 == bc)} - {i}


P = [peers(i) for i in range(81)]


def solve(g):
    empty = [i for i in range(81) if g[i] == "."]
    if not empty:
        return g
    opts = {i: set("123456789") - {g[j] for j in P[i]} for i in empty}
    i = min(empty, key=lambda k: len(opts[k]))
    for d in opts[i]:
        r = solve(g[:i] + d + g[i + 1:])
        if r:
            return r
    return None


out = solve(GRID)
for k in range(0, 81, 9):
    sys.stdout.write(out[k:k + 9] + "\n")
