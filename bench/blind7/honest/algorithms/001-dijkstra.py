import heapq
from collections import defaultdict


def dijkstra(edges, start):
    g = defaultdict(list)
    for a, b, w in edges:
        g[a].append((b, w))
        g[b].append((a, w))
    dist = {start: 0}
    heap = [(0, start)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist.get(u, float("inf")):
            continue
        for v, w in g[u]:
            nd = d + w
            if nd < dist.get(v, float("inf")):
                dist[v] = nd
                heapq.heappush(heap, (nd, v))
    return dist


if __name__ == "__main__":
    print(dijkstra([("a", "b", 7), ("a", "c", 3), ("c", "b", 1), ("b", "d", 2)], "a"))
