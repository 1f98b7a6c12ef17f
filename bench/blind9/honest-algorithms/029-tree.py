class AVL:
    __slots__ = ("k", "l", "r", "h")

    def __init__(self, k):
        self.k, self.l, self.r, self.h = k, None, None, 1


h = lambda n: n.h if n else 0
bal = lambda n: h(n.l) - h(n.r)


def fix(n):
    n.h = 1 + max(h(n.l), h(n.r))
    return n


def right(y):
    x = y.l
    y.l, x.r = x.r, y
    fix(y)
    return fix(x)


def left(x):
    y = x.r
    x.r, y.l = y.l, x
    fix(x)
    return fix(y)


def insert(n, k):
    if n is None:
        return AVL(k)
    if k < n.k:
        n.l = insert(n.l, k)
    else:
        n.r = insert(n.r, k)
    fix(n)
    if bal(n) > 1:
        if bal(n.l) < 0:
            n.l = left(n.l)
        return right(n)
    if bal(n) < -1:
        if bal(n.r) > 0:
            n.r = right(n.r)
        return left(n)
    return n


root = None
for v in range(1000):
    root = insert(root, v)
print("height of 1000 sorted inserts:", root.h)
