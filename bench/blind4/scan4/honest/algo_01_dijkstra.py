# shortest paths in a weighted graph
import heapq


def dijkstra(graph, start):
    dist = {start: 0}
    queue = [(0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        if d > dist.get(node, float("inf")):
            continue
        for nxt, w in graph.get(node, {}).items():
            nd = d + w
            if nd < dist.get(nxt, float("inf")):
                dist[nxt] = nd
                heapq.heappush(queue, (nd, nxt))
    return dist


if __name__ == "__main__":
    g = {"a": {"b": 3, "c": 1}, "c": {"b": 1, "d": 7}, "b": {"d": 2}}
    print(dijkstra(g, "a"))
