# huffman coding for the algorithms course
import heapq
from collections import Counter


def build(text):
    heap = [(n, i, ch) for i, (ch, n) in enumerate(Counter(text).items())]
    heapq.heapify(heap)
    counter = len(heap)
    while len(heap) > 1:
        n1, _, left = heapq.heappop(heap)
        n2, _, right = heapq.heappop(heap)
        heapq.heappush(heap, (n1 + n2, counter, (left, right)))
        counter += 1
    return heap[0][2]


def codes(tree, prefix=""):
    if isinstance(tree, str):
        return {tree: prefix or "0"}
    a = codes(tree[0], prefix + "0")
    a.update(codes(tree[1], prefix + "1"))
    return a


def decode(bits, tree):
    out, node = [], tree
    for b in bits:
        node = node[int(b)]
        if isinstance(node, str):
            out.append(node)
            node = tree
    return "".join(out)


text = "she sells sea shells by the sea shore"
tree = build(text)
table = codes(tree)
bits = "".join(table[c] for c in text)
print(len(text) * 8, "bits before,", len(bits), "bits after")
assert decode(bits, tree) == text
