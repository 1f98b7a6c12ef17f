python3 -c "
from collections import deque
def water(a, b, goal):
    seen, q = {(0, 0)}, deque([((0, 0), [])])
    while q:
        (x, y), path = q.popleft()
        if goal in (x, y):
            return path
        for s in [(a, y), (x, b), (0, y), (x, 0), (x - min(x, b - y), y + min(x, b - y)), (x + min(y, a - x), y - min(y, a - x))]:
            if s not in seen:
                seen.add(s)
                q.append((s, path + [s]))
print(water(3, 5, 4))
"
