# edit distance with two rows
def distance(a: str, b: str) -> int:
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (ca != cb)))
        prev = cur
    return prev[-1]


for pair in (("kitten", "sitting"), ("flaw", "lawn"), ("", "abc")):
    print(pair, distance(*pair))
