import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass
class Index:
    k1: float = 1.5
    b: float = 0.75
    docs: list[Counter] = field(default_factory=list)
    df: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, text: str) -> None:
        c = Counter(re.findall(r"\w+", text.lower()))
        self.docs.append(c)
        for w in c:
            self.df[w] += 1

    def search(self, q: str, top: int = 3):
        n = len(self.docs)
        avg = sum(map(Counter.total, self.docs)) / n
        res = []
        for i, d in enumerate(self.docs):
            s = 0.0
            for w in re.findall(r"\w+", q.lower()):
                idf = math.log(1 + (n - self.df[w] + 0.5) / (self.df[w] + 0.5))
                s += idf * d[w] * (self.k1 + 1) / (d[w] + self.k1 * (1 - self.b + self.b * d.total() / avg))
            res.append((round(s, 3), i))
        return sorted(res, reverse=True)[:top]


ix = Index()
for t in ("the shell of the turtle", "how to write a shell script", "password hashing with salt", "a bash script that backs up"):
    ix.add(t)
print(ix.search("shell script"))
