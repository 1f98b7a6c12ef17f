import sys

PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def solve(cells):
    at = cells.find("0")
    if at < 0:
        return cells
    row, col = divmod(at, 9)
    used = set()
    for k in range(9):
        used |= {cells[row * 9 + k], cells[k * 9 + col], cells[(row // 3 * 3 + k // 3) * 9 + col // 3 * 3 + k % 3]}
    for digit in set("123456789") - used:
        if done := solve(cells[:at] + digit + cells[at + 1 :]):
            return done
    return None


out = solve(PUZZLE)
for i in range(0, 81, 9):
    sys.stdout.write(out[i : i + 9] + "\n")
