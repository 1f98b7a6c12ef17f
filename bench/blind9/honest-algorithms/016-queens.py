def queens(n):
    full = (1 << n) - 1

    def place(row, cols, d1, d2):
        if row == n:
            return 1
        free, total = full & ~(cols | d1 | d2), 0
        while free:
            bit = free & -free
            free ^= bit
            total += place(row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1)
        return total

    return place(0, 0, 0, 0)


print([queens(n) for n in range(1, 10)])
