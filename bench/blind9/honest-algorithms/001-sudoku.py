"""Sudoku solver: constraint propagation plus search with the fewest candidates first."""
from itertools import product

DIGITS = "123456789"
CELLS = list(product(range(9), range(9)))


def peers(r, c):
    box = {(r // 3 * 3 + i, c // 3 * 3 + j) for i in range(3) for j in range(3)}
    return ({(r, j) for j in range(9)} | {(i, c) for i in range(9)} | box) - {(r, c)}


PEERS = {cell: peers(*cell) for cell in CELLS}


def assign(cand, cell, d):
    cand[cell] = d
    for p in PEERS[cell]:
        if d in cand[p]:
            left = cand[p].replace(d, "")
            if not left:
                return None
            cand[p] = left
            if len(left) == 1 and assign(cand, p, left) is None:
                return None
    return cand


def solve(cand):
    if cand is None or all(len(v) == 1 for v in cand.values()):
        return cand
    cell = min((c for c in CELLS if len(cand[c]) > 1), key=lambda c: len(cand[c]))
    for d in cand[cell]:
        if done := solve(assign(dict(cand), cell, d)):
            return done
    return None


grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
cand = {c: DIGITS for c in CELLS}
for cell, ch in zip(CELLS, grid):
    if ch != "." and cand is not None:
        cand = assign(cand, cell, ch)
result = solve(cand)
for r in range(9):
    print(" ".join(result[r, c] for c in range(9)))
