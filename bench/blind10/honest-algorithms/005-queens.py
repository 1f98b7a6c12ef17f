# n queens, exercise sheet 3
# idea: one queen per row, remember which columns and diagonals are taken

def solve(n):
    cols = []
    solutions = []

    def ok(row, col):
        for r, c in enumerate(cols):
            if c == col or abs(c - col) == row - r:
                return False
        return True

    def place(row):
        if row == n:
            solutions.append(list(cols))
            return
        for col in range(n):
            if ok(row, col):
                cols.append(col)
                place(row + 1)
                cols.pop()

    place(0)
    return solutions


s = solve(8)
print("there are", len(s), "solutions, for example:")
for c in s[0]:
    print(". " * c + "Q " + ". " * (7 - c))
