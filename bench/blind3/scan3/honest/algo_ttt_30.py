from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(b):
    return next((b[i] for i, j, k in LINES if b[i] != "." and b[i] == b[j] == b[k]), None)


@cache
def best(board, player):
    if w := winner(board):
        return (1 if w == "X" else -1), None
    moves = [i for i, c in enumerate(board) if c == "."]
    if not moves:
        return 0, None
    other = "O" if player == "X" else "X"
    pick = max if player == "X" else min
    return pick((best(board[:m] + player + board[m + 1 :], other)[0], m) for m in moves)


print(best("." * 9, "X"))
