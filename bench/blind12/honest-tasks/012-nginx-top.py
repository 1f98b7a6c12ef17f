import re
import sys
from collections import Counter

LINE = re.compile(r'^(\S+) .*?" (\d{3}) ')
ips, codes = Counter(), Counter()
with open(sys.argv[1] if len(sys.argv) > 1 else "access.log") as fh:
    for line in fh:
        if m := LINE.match(line):
            ips[m[1]] += 1
            codes[m[2]] += 1
print(ips.most_common(10))
print(dict(codes))
