G = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROW = [set(range(i // 9 * 9, i // 9 * 9 + 9)) for i in range(81)]
COL = [set(range(i % 9, 81, 9)) for i in range(81)]
BOX = [{r * 9 + c for r in range(i // 27 * 3, i // 27 * 3 + 3) for c in range(i % 9 // 3 * 3, i % 9 // 3 * 3 + 3)} for i in range(81)]
PEERS = [(ROW[i] | COL[i] | BOX[i]) - {i} for i in range(81)]


def solve(g):
    empty = [i for i, c in enumerate(g) if c == "."]
    if not empty:
        return g
    opts = {i: set("123456789") - {g[p] for p in PEERS[i]} for i in empty}
    i = min(opts, key=lambda k: len(opts[k]))
    for v in sorted(opts[i]):
        if r := solve(g[:i] + v + g[i + 1:]):
            return r
    return None


s = solve(G)
print("\n".join(s[r:r + 9] for r in range(0, 81, 9)))
