import gzip
import re
import sys
from collections import Counter

RX = re.compile(r'(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+)[^"]*" (\d{3}) (\d+|-)')
status, paths, ips = Counter(), Counter(), Counter()
for name in sys.argv[1:] or ["/var/log/nginx/access.log"]:
    op = gzip.open if name.endswith(".gz") else open
    with op(name, "rt", errors="replace") as f:
        for line in f:
            m = RX.match(line)
            if m:
                ips[m[1]] += 1
                status[m[5]] += 1
                if m[5] >= "500":
                    paths[m[4].split("?")[0]] += 1
print("status", dict(status))
print("failing", paths.most_common(10))
print("clients", ips.most_common(5))
