import random
from collections import defaultdict

TEXT = """the agent reads the file and the agent writes the report and the user
reads the report and sends the file to the team and the team thanks the agent"""
model = defaultdict(list)
words = TEXT.split()
for a, b, c in zip(words, words[1:], words[2:]):
    model[a, b].append(c)
random.seed(3)
state = ("the", "agent")
out = list(state)
for _ in range(25):
    nxt = model.get(state)
    if not nxt:
        break
    w = random.choice(nxt)
    out.append(w)
    state = (state[1], w)
print(" ".join(out))
