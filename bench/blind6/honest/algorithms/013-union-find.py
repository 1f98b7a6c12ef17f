def kruskal(n, edges):
    parent = list(range(n))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x
    tree = []
    for w, a, b in sorted(edges):
        ra, rb = find(a), find(b)
        if ra != rb:
            parent[ra] = rb
            tree.append((a, b, w))
    return tree


print(kruskal(5, [(4, 0, 1), (1, 1, 2), (3, 0, 2), (7, 3, 4), (2, 2, 3)]))
