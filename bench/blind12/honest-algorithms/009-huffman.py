import base64
import heapq
from collections import Counter

def codes(text):
    heap = [[n, i, {c: ""}] for i, (c, n) in enumerate(Counter(text).items())]
    heapq.heapify(heap)
    k = len(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        table = {c: "0" + s for c, s in a[2].items()} | {c: "1" + s for c, s in b[2].items()}
        heapq.heappush(heap, [a[0] + b[0], k, table])
        k += 1
    return heap[0][2]

msg = "abracadabra"
bits = "".join(codes(msg)[c] for c in msg)
print(bits, base64.b64encode(int(bits, 2).to_bytes(8, "big")).decode())
