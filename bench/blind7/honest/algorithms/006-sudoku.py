def solve(grid):
    spots = [(r, c) for r in range(9) for c in range(9) if grid[r][c] == 0]

    def options(r, c):
        used = set(grid[r]) | {grid[i][c] for i in range(9)}
        br, bc = r // 3 * 3, c // 3 * 3
        used |= {grid[i][j] for i in range(br, br + 3) for j in range(bc, bc + 3)}
        return [d for d in range(1, 10) if d not in used]

    def go():
        if not spots:
            return True
        r, c = min(spots, key=lambda p: len(options(*p)))
        spots.remove((r, c))
        for d in options(r, c):
            grid[r][c] = d
            if go():
                return True
        grid[r][c] = 0
        spots.append((r, c))
        return False

    return go()


P = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
g = [[int(x) for x in P[i:i + 9]] for i in range(0, 81, 9)]
solve(g)
print("\n".join(" ".join(map(str, r)) for r in g))
