# class: files, duplicates; style: hashing
import hashlib
import os
import sys
from collections import defaultdict

groups = defaultdict(list)
for root, _, names in os.walk(sys.argv[1] if len(sys.argv) > 1 else "."):
    for name in names:
        path = os.path.join(root, name)
        with open(path, "rb") as fh:
            groups[hashlib.file_digest(fh, "sha256").hexdigest()].append(path)
for paths in groups.values():
    for extra in paths[1:]:
        print("duplicate", extra)
        if "--delete" in sys.argv:
            os.remove(extra)
