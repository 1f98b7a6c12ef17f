import collections
import heapq
import itertools


def codes(text):
    tie = itertools.count()
    heap = [(n, next(tie), c) for c, n in collections.Counter(text).items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a[0] + b[0], next(tie), (a[2], b[2])))
    table = {}

    def walk(node, prefix):
        if isinstance(node, tuple):
            walk(node[0], prefix + "0")
            walk(node[1], prefix + "1")
        else:
            table[node] = prefix or "0"

    walk(heap[0][2], "")
    return table


t = codes("abracadabra")
print(t, sum(len(t[c]) for c in "abracadabra"))
