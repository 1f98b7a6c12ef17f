def solve(board):
    def ok(r, c, v):
        b = (r // 3 * 3, c // 3 * 3)
        return all(board[r][i] != v and board[i][c] != v and board[b[0] + i // 3][b[1] + i % 3] != v for i in range(9))
    for r in range(9):
        for c in range(9):
            if board[r][c] == 0:
                for v in range(1, 10):
                    if ok(r, c, v):
                        board[r][c] = v
                        if solve(board): return True
                        board[r][c] = 0
                return False
    return True
b = [[0] * 9 for _ in range(9)]
solve(b); print(b[0])
