def knapsack(items, cap):
    """items: list of (name, weight, value)."""
    best = [[0] * (cap + 1)]
    for _, w, v in items:
        row = best[-1][:]
        for c in range(w, cap + 1):
            row[c] = max(row[c], best[-1][c - w] + v)
        best.append(row)
    chosen, c = [], cap
    for i in range(len(items), 0, -1):
        if best[i][c] != best[i - 1][c]:
            chosen.append(items[i - 1][0])
            c -= items[i - 1][1]
    return best[-1][cap], chosen[::-1]


print(knapsack([("tent", 5, 10), ("stove", 4, 40), ("book", 6, 30), ("rope", 3, 50)], 10))
