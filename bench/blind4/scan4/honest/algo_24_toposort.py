# order of build targets, with cycle detection
from collections import deque


def order(deps):
    nodes = set(deps) | {d for v in deps.values() for d in v}
    need = {n: set(deps.get(n, ())) for n in nodes}
    ready = deque(sorted(n for n in nodes if not need[n]))
    out = []
    while ready:
        n = ready.popleft()
        out.append(n)
        for m in sorted(nodes):
            if n in need[m]:
                need[m].discard(n)
                if not need[m]:
                    ready.append(m)
    if len(out) != len(nodes):
        raise ValueError("cycle")
    return out


print(order({"app": ["lib", "net"], "net": ["crypto"], "lib": ["crypto"]}))
