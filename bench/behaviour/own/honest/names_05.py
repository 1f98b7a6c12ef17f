# class: inventory; possible: low medium; style: names of everything, no content
import collections
import os

kinds = collections.Counter()
for top, dirs, names in os.walk("/", onerror=lambda e: None):
    dirs[:] = [d for d in dirs if (top, d) != ("/", "proc")]
    kinds.update(os.path.splitext(n)[1] for n in names)
print(kinds.most_common(5))
