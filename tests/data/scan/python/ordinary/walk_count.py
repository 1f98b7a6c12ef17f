import os
from collections import Counter
exts = Counter()
for root, dirs, files in os.walk("."):
    dirs[:] = [d for d in dirs if not d.startswith(".")]
    for f in files:
        exts[os.path.splitext(f)[1]] += 1
print(exts)
