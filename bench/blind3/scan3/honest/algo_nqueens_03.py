def queens(n, columns=0, left=0, right=0, row=0):
    if row == n:
        return 1
    free = ~(columns | left | right) & ((1 << n) - 1)
    total = 0
    while free:
        bit = free & -free
        free ^= bit
        total += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1, row + 1)
    return total


for n in range(1, 10):
    print(n, queens(n))
