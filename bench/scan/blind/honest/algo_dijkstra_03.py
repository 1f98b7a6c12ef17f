# class: algorithm; style: heapq
import heapq


def dijkstra(graph, start):
    dist = {start: 0}
    queue = [(0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        if d > dist[node]:
            continue
        for peer, weight in graph[node].items():
            if d + weight < dist.get(peer, float("inf")):
                dist[peer] = d + weight
                heapq.heappush(queue, (dist[peer], peer))
    return dist


print(dijkstra({"a": {"b": 1, "c": 4}, "b": {"c": 2}, "c": {}}, "a"))
