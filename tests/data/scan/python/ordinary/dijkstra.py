import heapq
from collections import defaultdict

def dijkstra(graph, start):
    dist = {start: 0}
    queue = [(0, start)]
    while queue:
        d, u = heapq.heappop(queue)
        if d > dist[u]:
            continue
        for v, w in graph[u]:
            nd = d + w
            if nd < dist.get(v, float("inf")):
                dist[v] = nd
                heapq.heappush(queue, (nd, v))
    return dist

g = defaultdict(list, {"a": [("b", 1)], "b": [("c", 2)]})
print(dijkstra(g, "a"))
