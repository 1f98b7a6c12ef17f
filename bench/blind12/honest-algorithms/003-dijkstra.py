import heapq
from collections import defaultdict

class Graph:
    def __init__(self):
        self.adj = defaultdict(list)

    def edge(self, a, b, w):
        self.adj[a].append((b, w))
        self.adj[b].append((a, w))

    def shortest(self, src):
        dist, todo = {src: 0}, [(0, src)]
        while todo:
            d, u = heapq.heappop(todo)
            if d > dist[u]:
                continue
            for v, w in self.adj[u]:
                if d + w < dist.get(v, float("inf")):
                    dist[v] = d + w
                    heapq.heappush(todo, (d + w, v))
        return dist

g = Graph()
g.edge("a", "b", 4)
g.edge("b", "c", 1)
g.edge("a", "c", 7)
print(g.shortest("a"))
