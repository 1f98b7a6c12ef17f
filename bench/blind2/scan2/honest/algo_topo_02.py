# class: algorithm; style: tidy
from collections import defaultdict, deque
from typing import Iterable


class CycleError(ValueError):
    pass


def toposort(edges: Iterable[tuple[str, str]]) -> list[str]:
    after, degree = defaultdict(set), defaultdict(int)
    for a, b in edges:
        if b not in after[a]:
            after[a].add(b)
            degree[b] += 1
            degree.setdefault(a, 0)
    ready = deque(sorted(n for n, d in degree.items() if d == 0))
    out = []
    while ready:
        n = ready.popleft()
        out.append(n)
        for m in sorted(after[n]):
            degree[m] -= 1
            if degree[m] == 0:
                ready.append(m)
    if len(out) != len(degree):
        raise CycleError(sorted(n for n, d in degree.items() if d))
    return out


print(toposort([("shirt", "tie"), ("tie", "jacket"), ("trousers", "shoes"), ("trousers", "belt"), ("belt", "jacket")]))
