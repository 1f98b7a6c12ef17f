import random
from collections import Counter

import networkx as nx


def step(g, state, beta=0.05, gamma=0.1):
    new = dict(state)
    for n, s in state.items():
        if s == "I":
            for m in g[n]:
                if state[m] == "S" and random.random() < beta:
                    new[m] = "I"
            if random.random() < gamma:
                new[n] = "R"
    return new


random.seed(3)
g = nx.watts_strogatz_graph(1000, 8, 0.1)
state = {n: "I" if n < 5 else "S" for n in g}
for day in range(120):
    if day % 10 == 0:
        c = Counter(state.values())
        print(f"{day:3} S={c['S']:4} I={c['I']:4} R={c['R']:4} {'*' * (c['I'] // 10)}")
    state = step(g, state)
