def solve(board):
    for r in range(9):
        for c in range(9):
            if board[r][c] == 0:
                for n in range(1, 10):
                    if ok(board, r, c, n):
                        board[r][c] = n
                        if solve(board):
                            return True
                        board[r][c] = 0
                return False
    return True

def ok(b, r, c, n):
    if n in b[r] or n in (b[i][c] for i in range(9)):
        return False
    r0, c0 = r // 3 * 3, c // 3 * 3
    return all(b[r0 + i][c0 + j] != n for i in range(3) for j in range(3))

board = [[0] * 9 for _ in range(9)]
print(solve(board), board[0])
