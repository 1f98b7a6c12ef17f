import networkx as nx

g = nx.DiGraph()
with open("imports.txt") as f:
    for line in f:
        a, _, b = line.strip().partition(" -> ")
        g.add_edge(a, b)
for cycle in list(nx.simple_cycles(g))[:10]:
    print("cycle:", " -> ".join(cycle))
rank = sorted(nx.pagerank(g).items(), key=lambda kv: -kv[1])[:10]
for name, score in rank:
    print("%.4f %s" % (score, name))
nx.nx_pydot.write_dot(g, "imports.dot")
