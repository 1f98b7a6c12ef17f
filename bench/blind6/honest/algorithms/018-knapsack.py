def knapsack(items, cap):
    best = [[0] * (cap + 1) for _ in range(len(items) + 1)]
    for i, (_, w, v) in enumerate(items, 1):
        for c in range(cap + 1):
            best[i][c] = best[i - 1][c]
            if w <= c:
                best[i][c] = max(best[i][c], best[i - 1][c - w] + v)
    taken, c = [], cap
    for i in range(len(items), 0, -1):
        if best[i][c] != best[i - 1][c]:
            taken.append(items[i - 1][0])
            c -= items[i - 1][1]
    return best[-1][cap], taken


print(knapsack([("map", 9, 150), ("water", 153, 200), ("cheese", 23, 30), ("tent", 50, 160)], 200))
