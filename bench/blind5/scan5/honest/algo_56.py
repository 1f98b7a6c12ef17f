import collections
def huffman(s):
    heap = [[n, [c, ""]] for c, n in collections.Counter(s).items()]
    while len(heap) > 1:
        heap.sort(key=lambda x: x[0]); a, b, *heap = heap
        for p in a[1:]: p[1] = "0" + p[1]
        for p in b[1:]: p[1] = "1" + p[1]
        heap.append([a[0] + b[0], *a[1:], *b[1:]])
    return dict(map(tuple, heap[0][1:]))
print(huffman("mississippi"))
