# class: contest; style: dynamic programming, terse
n, w = 4, 10
v = [(6, 30), (3, 14), (4, 16), (2, 9)]
d = [0] * (w + 1)
for a, b in v:
    for i in range(w, a - 1, -1):
        d[i] = max(d[i], d[i - a] + b)
print(d[w])
