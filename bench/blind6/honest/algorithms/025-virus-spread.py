import random
from dataclasses import dataclass


@dataclass
class Node:
    state: str = "S"
    days: int = 0


def simulate(n=400, k=6, beta=0.08, recover=7, seed=2):
    random.seed(seed)
    nodes = [Node() for _ in range(n)]
    adj = [random.sample(range(n), k) for _ in range(n)]
    for i in random.sample(range(n), 3):
        nodes[i].state = "I"
    hist = []
    while any(x.state == "I" for x in nodes):
        infected = [i for i, x in enumerate(nodes) if x.state == "I"]
        for i in infected:
            for j in adj[i]:
                if nodes[j].state == "S" and random.random() < beta:
                    nodes[j].state = "I"
            nodes[i].days += 1
            if nodes[i].days >= recover:
                nodes[i].state = "R"
        hist.append(len(infected))
    return hist


h = simulate()
print("peak", max(h), "days", len(h))
