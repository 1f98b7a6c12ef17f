from collections import defaultdict, deque


def order(deps):
    """deps: task -> iterable of tasks that must come first"""
    indeg, out = defaultdict(int), defaultdict(list)
    nodes = set(deps)
    for t, ds in deps.items():
        for d in ds:
            nodes.add(d)
            out[d].append(t)
            indeg[t] += 1
    q = deque(sorted(n for n in nodes if not indeg[n]))
    res = []
    while q:
        n = q.popleft()
        res.append(n)
        for t in out[n]:
            indeg[t] -= 1
            if not indeg[t]:
                q.append(t)
    if len(res) != len(nodes):
        raise ValueError(f"cycle among {sorted(nodes - set(res))}")
    return res


print(order({"link": ["compile"], "compile": ["configure", "fetch"], "test": ["link"]}))
