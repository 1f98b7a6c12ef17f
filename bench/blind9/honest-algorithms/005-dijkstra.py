import heapq
from collections import defaultdict


def dijkstra(graph, src):
    dist, prev = {src: 0}, {}
    queue = [(0, src)]
    while queue:
        d, u = heapq.heappop(queue)
        if d > dist[u]:
            continue
        for v, w in graph[u]:
            nd = d + w
            if nd < dist.get(v, float("inf")):
                dist[v], prev[v] = nd, u
                heapq.heappush(queue, (nd, v))
    return dist, prev


def path(prev, dst):
    out = [dst]
    while out[-1] in prev:
        out.append(prev[out[-1]])
    return out[::-1]


edges = [("A", "B", 7), ("A", "C", 3), ("C", "B", 1), ("B", "D", 2), ("C", "D", 8), ("D", "E", 4)]
g = defaultdict(list)
for a, b, w in edges:
    g[a].append((b, w))
    g[b].append((a, w))

dist, prev = dijkstra(g, "A")
for n in sorted(dist):
    print(n, dist[n], "->".join(path(prev, n)))
