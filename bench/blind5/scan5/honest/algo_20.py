from functools import lru_cache
@lru_cache(None)
def edit(a, b):
    if not a or not b: return len(a) + len(b)
    return min(edit(a[1:], b) + 1, edit(a, b[1:]) + 1, edit(a[1:], b[1:]) + (a[0] != b[0]))
print(edit("kitten", "sitting"))
