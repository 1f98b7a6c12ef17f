import collections
import random

TEXT = "it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness"
table = collections.defaultdict(list)
words = TEXT.split()
for a, b, c in zip(words, words[1:], words[2:]):
    table[a, b].append(c)
random.seed(4)
state = ("it", "was")
out = list(state)
while state in table and len(out) < 25:
    out.append(random.choice(table[state]))
    state = tuple(out[-2:])
print(*out)
