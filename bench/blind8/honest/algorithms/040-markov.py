from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator

Chain = dict[tuple[str, ...], list[str]]

TEXT = """the server writes the log and the client reads the log while the server waits
for the client and the client waits for the user and the user reads the news"""


def windows(words: Iterable[str], n: int) -> Iterator[tuple[str, ...]]:
    w = list(words)
    yield from zip(*(w[i:] for i in range(n)))


def train(text: str, order: int = 2) -> Chain:
    chain: Chain = defaultdict(list)
    for *key, nxt in windows(text.split(), order + 1):
        chain[tuple(key)].append(nxt)
    return chain


def babble(chain: Chain, n: int = 20) -> str:
    cur = random.choice(list(chain))
    out = list(cur)
    while len(out) < n and cur in chain:
        out.append(random.choice(chain[cur]))
        cur = tuple(out[-len(cur):])
    return " ".join(out)


random.seed(5)
print(babble(train(TEXT)))
