def queens(n, row=0, cols=frozenset(), d1=frozenset(), d2=frozenset()):
    if row == n:
        yield ()
        return
    for c in range(n):
        if c not in cols and row + c not in d1 and row - c not in d2:
            for rest in queens(n, row + 1, cols | {c}, d1 | {row + c}, d2 | {row - c}):
                yield (c,) + rest

print(sum(1 for _ in queens(6)))
print(next(queens(8)))
