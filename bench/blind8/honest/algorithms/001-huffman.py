import heapq
from collections import Counter
from itertools import count


def build(text):
    tie = count()
    heap = [(n, next(tie), ch) for ch, n in Counter(text).items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a[0] + b[0], next(tie), (a[2], b[2])))
    codes = {}

    def walk(node, prefix):
        if isinstance(node, tuple):
            walk(node[0], prefix + "0")
            walk(node[1], prefix + "1")
        else:
            codes[node] = prefix or "0"

    walk(heap[0][2], "")
    return codes


def decode(bits, codes):
    inv, cur, out = {v: k for k, v in codes.items()}, "", []
    for b in bits:
        cur += b
        if cur in inv:
            out.append(inv[cur])
            cur = ""
    return "".join(out)


text = "she sells sea shells by the sea shore"
codes = build(text)
bits = "".join(codes[c] for c in text)
assert decode(bits, codes) == text
print(len(bits), "bits instead of", 8 * len(text))
