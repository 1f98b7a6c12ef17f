#!/usr/bin/env python3
"""Which commands do I use most? (prints names and counts only)"""
import os
import shlex
from collections import Counter

hist = os.path.expanduser(os.environ.get("HISTFILE", "~/.bash_history"))
count = Counter()
with open(hist, errors="replace") as fh:
    for line in fh:
        if line.startswith("#"):
            continue
        try:
            words = shlex.split(line)
        except ValueError:
            words = line.split()
        while words and (words[0] in ("sudo", "time", "env") or "=" in words[0]):
            words.pop(0)
        if words:
            count[os.path.basename(words[0])] += 1
width = max(map(len, count), default=1)
for name, n in count.most_common(20):
    print(f"{name:<{min(width, 20)}} {n:5} {'▇' * (40 * n // count.most_common(1)[0][1])}")
