# class: training; possible: low medium high; style: byte pairs, no network
import collections
import random

random.seed(1)
words = ["".join(random.choices("etaoinshrdlu", k=random.randint(2, 9))) for _ in range(900)]
corpus = collections.Counter(random.choices(words, k=20000))
vocab = {tuple(w): n for w, n in corpus.items()}
merges = []
for _ in range(250):
    pairs = collections.Counter()
    for w, n in vocab.items():
        for pair in zip(w, w[1:]):
            pairs[pair] += n
    if not pairs:
        break
    best = max(pairs, key=pairs.get)
    merges.append(best)
    new = {}
    for w, n in vocab.items():
        out, i = [], 0
        while i < len(w):
            if w[i : i + 2] == best:
                out.append("".join(best))
                i += 2
            else:
                out.append(w[i])
                i += 1
        new[tuple(out)] = n
    vocab = new
print(len(merges), merges[:5], max(len(w) for w in vocab))
