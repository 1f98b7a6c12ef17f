from bisect import bisect_left, insort

def index(a, x):
    i = bisect_left(a, x)
    return i if i < len(a) and a[i] == x else -1

data = []
for v in [5, 3, 9, 1]:
    insort(data, v)
print(index(data, 9), index(data, 4))
