#!/bin/bash
python3 - <<'PY'
import itertools, math, random
random.seed(4)
pts = [(random.random(), random.random()) for _ in range(8)]
def length(o): return sum(math.dist(pts[a], pts[b]) for a, b in zip(o, o[1:] + o[:1]))
best = min(([0, *p] for p in itertools.permutations(range(1, len(pts)))), key=length)
print(best, round(length(best), 3))
PY
