# class: algorithm; style: notebook export
# %%
import random
random.seed(4)
pts = [(random.gauss(cx, .5), random.gauss(cy, .5)) for cx, cy in ((0, 0), (5, 5), (0, 6)) for _ in range(40)]

# %%
def kmeans(pts, k, rounds=25):
    cs = random.sample(pts, k)
    for _ in range(rounds):
        groups = [[] for _ in cs]
        for p in pts:
            groups[min(range(k), key=lambda i: (p[0]-cs[i][0])**2 + (p[1]-cs[i][1])**2)].append(p)
        cs = [(sum(x for x, _ in g)/len(g), sum(y for _, y in g)/len(g)) if g else c for g, c in zip(groups, cs)]
    return cs

# %%
sorted((round(x), round(y)) for x, y in kmeans(pts, 3))
