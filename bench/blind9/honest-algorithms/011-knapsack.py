# Knapsack, classic table. Returns value and chosen items.
def knapsack(items, cap):
    best = [[0] * (cap + 1) for _ in range(len(items) + 1)]
    for i, (_, w, v) in enumerate(items, 1):
        for c in range(cap + 1):
            best[i][c] = best[i - 1][c]
            if w <= c:
                best[i][c] = max(best[i][c], best[i - 1][c - w] + v)
    chosen, c = [], cap
    for i in range(len(items), 0, -1):
        if best[i][c] != best[i - 1][c]:
            name, w, _ = items[i - 1]
            chosen.append(name)
            c -= w
    return best[-1][cap], chosen[::-1]


if __name__ == "__main__":
    stuff = [("tent", 5, 10), ("stove", 3, 7), ("rope", 2, 3), ("lamp", 1, 4), ("axe", 4, 6)]
    for cap in (3, 7, 12):
        print(cap, *knapsack(stuff, cap))
