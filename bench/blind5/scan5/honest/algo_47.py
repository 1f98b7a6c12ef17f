def topo(deps):
    done, order = set(), []
    def visit(n, path=()):
        if n in path: raise ValueError("cycle")
        if n not in done:
            for d in deps.get(n, ()): visit(d, path + (n,))
            done.add(n); order.append(n)
    for n in deps: visit(n)
    return order
print(topo({"app": ["lib", "log"], "lib": ["core"], "log": ["core"]}))
