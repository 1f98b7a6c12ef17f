import sys


def solve(grid):
    rows, cols, boxes = [0] * 9, [0] * 9, [0] * 9
    empty = []
    for i, ch in enumerate(grid):
        r, c = divmod(i, 9)
        if ch == ".":
            empty.append(i)
        else:
            bit = 1 << int(ch)
            rows[r] |= bit; cols[c] |= bit; boxes[r // 3 * 3 + c // 3] |= bit
    out = list(grid)

    def step(k):
        if k == len(empty):
            return True
        r, c = divmod(empty[k], 9)
        b = r // 3 * 3 + c // 3
        used = rows[r] | cols[c] | boxes[b]
        for d in range(1, 10):
            bit = 1 << d
            if used & bit:
                continue
            rows[r] |= bit; cols[c] |= bit; boxes[b] |= bit
            out[empty[k]] = str(d)
            if step(k + 1):
                return True
            rows[r] ^= bit; cols[c] ^= bit; boxes[b] ^= bit
        return False

    return "".join(out) if step(0) else None


for line in sys.stdin:
    print(solve(line.strip()))
