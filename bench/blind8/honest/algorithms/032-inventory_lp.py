from typing import NamedTuple


class Item(NamedTuple):
    name: str
    weight: int
    value: int


ITEMS = [Item("tent", 9, 150), Item("stove", 3, 60), Item("rope", 4, 40), Item("map", 1, 35), Item("food", 7, 160), Item("lamp", 2, 30)]


def pack(items, cap):
    best = [[0] * (cap + 1) for _ in range(len(items) + 1)]
    for i, it in enumerate(items, 1):
        for w in range(cap + 1):
            best[i][w] = best[i - 1][w]
            if w >= it.weight:
                best[i][w] = max(best[i][w], best[i - 1][w - it.weight] + it.value)
    chosen, w = [], cap
    for i in range(len(items), 0, -1):
        if best[i][w] != best[i - 1][w]:
            chosen.append(items[i - 1])
            w -= items[i - 1].weight
    return best[-1][cap], chosen


print(pack(ITEMS, 15))
