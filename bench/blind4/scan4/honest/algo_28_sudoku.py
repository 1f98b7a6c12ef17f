# backtracking sudoku solver
def solve(g):
    for r in range(9):
        for c in range(9):
            if g[r][c]:
                continue
            box = {g[i][j] for i in range(r // 3 * 3, r // 3 * 3 + 3) for j in range(c // 3 * 3, c // 3 * 3 + 3)}
            for v in set(range(1, 10)) - set(g[r]) - {row[c] for row in g} - box:
                g[r][c] = v
                if solve(g):
                    return True
                g[r][c] = 0
            return False
    return True


board = [[0] * 9 for _ in range(9)]
board[0][:3] = [5, 3, 4]
solve(board)
print("\n".join(" ".join(map(str, r)) for r in board))
