import heapq
def dijkstra(graph, start):
    dist, queue = {start: 0}, [(0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        if d > dist.get(node, float("inf")): continue
        for nxt, w in graph[node].items():
            if d + w < dist.get(nxt, float("inf")):
                dist[nxt] = d + w
                heapq.heappush(queue, (d + w, nxt))
    return dist
print(dijkstra({"a": {"b": 4, "c": 1}, "b": {"d": 1}, "c": {"b": 2, "d": 7}, "d": {}}, "a"))
