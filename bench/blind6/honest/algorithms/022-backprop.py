import math
import random

random.seed(0)
H = 4
w1 = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(H)]
w2 = [random.uniform(-1, 1) for _ in range(H + 1)]
sig = lambda x: 1 / (1 + math.exp(-x))
data = [((0, 0), 0), ((0, 1), 1), ((1, 0), 1), ((1, 1), 0)]
for epoch in range(8000):
    for (a, b), t in data:
        h = [sig(w[0] * a + w[1] * b + w[2]) for w in w1]
        o = sig(sum(w * x for w, x in zip(w2, h + [1])))
        d = (t - o) * o * (1 - o)
        for i in range(H):
            g = d * w2[i] * h[i] * (1 - h[i])
            w1[i] = [w1[i][0] + g * a, w1[i][1] + g * b, w1[i][2] + g]
            w2[i] += d * h[i]
        w2[H] += d
for (a, b), t in data:
    h = [sig(w[0] * a + w[1] * b + w[2]) for w in w1]
    print(a, b, t, round(sig(sum(w * x for w, x in zip(w2, h + [1]))), 2))
