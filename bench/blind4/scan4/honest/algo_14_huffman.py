# huffman code of a text
import heapq
from collections import Counter


def code_table(text):
    heap = [[n, [ch, ""]] for ch, n in Counter(text).items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        lo, hi = heapq.heappop(heap), heapq.heappop(heap)
        for pair in lo[1:]:
            pair[1] = "0" + pair[1]
        for pair in hi[1:]:
            pair[1] = "1" + pair[1]
        heapq.heappush(heap, [lo[0] + hi[0]] + lo[1:] + hi[1:])
    return dict(heap[0][1:])


msg = "abracadabra"
table = code_table(msg)
bits = "".join(table[c] for c in msg)
print(table, len(bits), "bits")
