from itertools import permutations

words = ("SEND", "MORE", "MONEY")
letters = "".join(dict.fromkeys("".join(words)))
first = {w[0] for w in words}
for digits in permutations("0123456789", len(letters)):
    t = dict(zip(letters, digits))
    if any(t[c] == "0" for c in first):
        continue
    a, b, c = (int("".join(t[x] for x in w)) for w in words)
    if a + b == c:
        print(a, b, c)
        break
