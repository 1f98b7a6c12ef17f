# class: algorithm; style: dataclass
from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field


@dataclass(order=True)
class Node:
    weight: int
    symbol: str = field(compare=False, default="")
    left: Node | None = field(compare=False, default=None)
    right: Node | None = field(compare=False, default=None)


def codes(text):
    heap = [Node(n, s) for s, n in Counter(text).items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, Node(a.weight + b.weight, "", a, b))
    result = {}

    def walk(node, prefix):
        if node.symbol:
            result[node.symbol] = prefix or "0"
        else:
            walk(node.left, prefix + "0")
            walk(node.right, prefix + "1")

    walk(heap[0], "")
    return result


print(codes("abracadabra"))
