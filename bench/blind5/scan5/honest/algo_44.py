def hanoi(n, a="A", b="B", c="C"):
    if n: yield from hanoi(n - 1, a, c, b); yield a, c; yield from hanoi(n - 1, b, a, c)
print(len(list(hanoi(10))))
