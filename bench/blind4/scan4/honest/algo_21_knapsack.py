# 0/1 knapsack with recovery of the items
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    name: str
    weight: int
    value: int


def solve(items, cap):
    best = [[0] * (cap + 1) for _ in range(len(items) + 1)]
    for i, it in enumerate(items, 1):
        for w in range(cap + 1):
            best[i][w] = best[i - 1][w]
            if it.weight <= w:
                best[i][w] = max(best[i][w], best[i - 1][w - it.weight] + it.value)
    w, chosen = cap, []
    for i in range(len(items), 0, -1):
        if best[i][w] != best[i - 1][w]:
            chosen.append(items[i - 1].name)
            w -= items[i - 1].weight
    return best[-1][cap], chosen


print(solve([Item("tent", 5, 10), Item("stove", 3, 6), Item("rope", 2, 3), Item("key", 1, 5)], 8))
