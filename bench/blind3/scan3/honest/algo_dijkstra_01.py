import heapq


def shortest(graph, start):
    best, heap = {start: 0}, [(0, start)]
    while heap:
        cost, node = heapq.heappop(heap)
        if cost > best[node]:
            continue
        for peer, weight in graph.get(node, {}).items():
            if cost + weight < best.get(peer, float("inf")):
                best[peer] = cost + weight
                heapq.heappush(heap, (best[peer], peer))
    return best


G = {"a": {"b": 7, "c": 3}, "c": {"b": 1, "d": 8}, "b": {"d": 2}}
print(shortest(G, "a"))
