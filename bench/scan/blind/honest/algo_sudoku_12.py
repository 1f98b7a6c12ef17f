# class: puzzle; style: sloppy global
B = [[0]*9 for _ in range(9)]
B[0][0] = 5; B[4][4] = 7
def ok(r, c, v):
    for i in range(9):
        if B[r][i] == v or B[i][c] == v or B[r//3*3+i//3][c//3*3+i%3] == v: return False
    return True
def go():
    for r in range(9):
        for c in range(9):
            if not B[r][c]:
                for v in range(1, 10):
                    if ok(r, c, v):
                        B[r][c] = v
                        if go(): return True
                        B[r][c] = 0
                return False
    return True
print(go()); print(*B, sep="\n")
