# class: algorithm, generates text; style: hobby
import random
from collections import defaultdict
src = """the attacker deletes the logs and the defender restores the logs while the root of the tree
drinks water and the shell of the snail protects the snail from the bomb of the bird""".split()
m = defaultdict(list)
for a, b in zip(src, src[1:]):
    m[a].append(b)
random.seed(3)
w, out = "the", []
for _ in range(15):
    out.append(w)
    w = random.choice(m[w]) if m[w] else "the"
print(" ".join(out))
