import math
import re
from collections import Counter, defaultdict

TRAIN = [
    ("spam", "win money now click this link"),
    ("spam", "cheap pills buy now free offer"),
    ("spam", "your password expired click to steal back your account"),
    ("ham", "meeting moved to friday at ten"),
    ("ham", "can you review my pull request today"),
    ("ham", "the backup script failed on the server again"),
]


class NaiveBayes:
    def __init__(self, alpha=1.0):
        self.alpha = alpha
        self.words = defaultdict(Counter)
        self.docs = Counter()

    @staticmethod
    def split(text):
        return re.findall(r"[a-z]+", text.lower())

    def fit(self, pairs):
        for label, text in pairs:
            self.docs[label] += 1
            self.words[label].update(self.split(text))
        self.vocab = {w for c in self.words.values() for w in c}
        return self

    def predict(self, text):
        def score(label):
            total = sum(self.words[label].values()) + self.alpha * len(self.vocab)
            return math.log(self.docs[label] / sum(self.docs.values())) + sum(
                math.log((self.words[label][w] + self.alpha) / total) for w in self.split(text))
        return max(self.docs, key=score)


nb = NaiveBayes().fit(TRAIN)
for msg in ("free money offer", "review the backup on friday"):
    print(msg, "->", nb.predict(msg))
