from functools import lru_cache


def parse(p):
    def alt(i):
        left, i = seq(i)
        while i < len(p) and p[i] == "|":
            right, i = seq(i + 1)
            left = ("|", left, right)
        return left, i

    def seq(i):
        items = []
        while i < len(p) and p[i] not in "|)":
            if p[i] == "(":
                node, i = alt(i + 1)
            else:
                node = ("c", p[i])
            i += 1
            while i < len(p) and p[i] in "*?":
                node = (p[i], node)
                i += 1
            items.append(node)
        return (".", tuple(items)), i
    return alt(0)[0]


def match(p, s):
    tree = parse(p)

    @lru_cache(None)
    def run(n, i):
        if n[0] == "c":
            return {i + 1} if i < len(s) and n[1] in (".", s[i]) else set()
        if n[0] == "|":
            return run(n[1], i) | run(n[2], i)
        if n[0] == "?":
            return {i} | run(n[1], i)
        if n[0] == "*":
            seen, todo = {i}, [i]
            while todo:
                for j in run(n[1], todo.pop()) - seen:
                    seen.add(j)
                    todo.append(j)
            return seen
        cur = {i}
        for x in n[1]:
            cur = set().union(*(run(x, j) for j in cur))
        return cur
    return len(s) in run(tree, 0)


for pat, txt in (("a(b|c)*d", "abcbcd"), ("x?y", "y"), ("(ab)*", "aba")):
    print(pat, txt, match(pat, txt))
