# class: algorithm; style: networkx
import networkx as nx

g = nx.DiGraph([("build", "test"), ("test", "deploy"), ("lint", "test")])
print(list(nx.topological_sort(g)))
