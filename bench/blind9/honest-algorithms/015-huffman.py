import heapq
from collections import Counter
from itertools import count


def codes(text):
    tick = count()
    heap = [(n, next(tick), ch) for ch, n in Counter(text).items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a[0] + b[0], next(tick), (a[2], b[2])))
    table = {}

    def walk(node, prefix):
        if isinstance(node, tuple):
            walk(node[0], prefix + "0")
            walk(node[1], prefix + "1")
        else:
            table[node] = prefix or "0"

    walk(heap[0][2], "")
    return table


def encode(text, table):
    return "".join(table[c] for c in text)


def decode(bits, table):
    back, cur, out = {v: k for k, v in table.items()}, "", []
    for b in bits:
        cur += b
        if cur in back:
            out.append(back[cur])
            cur = ""
    return "".join(out)


msg = "the quick brown fox jumps over the lazy dog, exec eval system"
t = codes(msg)
bits = encode(msg, t)
assert decode(bits, t) == msg
print(len(msg) * 8, "->", len(bits))
