import heapq
from collections import Counter


def codes(text):
    heap = [(n, i, ch) for i, (ch, n) in enumerate(Counter(text).items())]
    heapq.heapify(heap)
    i = len(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a[0] + b[0], i, (a[2], b[2])))
        i += 1
    out = {}

    def walk(node, prefix):
        if isinstance(node, tuple):
            walk(node[0], prefix + "0")
            walk(node[1], prefix + "1")
        else:
            out[node] = prefix or "0"

    walk(heap[0][2], "")
    return out


msg = "so much depends upon a red wheel barrow"
c = codes(msg)
bits = "".join(c[x] for x in msg)
print(len(msg) * 8, "->", len(bits))
