import numpy as np
from scipy.signal import convolve2d

K = np.ones((3, 3), int)
K[1, 1] = 0


def step(b):
    n = convolve2d(b, K, mode="same", boundary="wrap")
    return ((n == 3) | ((b == 1) & (n == 2))).astype(int)


board = np.zeros((12, 24), int)
for r, c in [(1, 2), (2, 3), (3, 1), (3, 2), (3, 3)]:
    board[r, c] = 1

for gen in range(10):
    print(f"generation {gen}, alive {board.sum()}")
    print("\n".join("".join(".#"[v] for v in row) for row in board))
    board = step(board)
