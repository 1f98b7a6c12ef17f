#!/usr/bin/env python3
"""Who gets 5xx, which paths are slow. Reads plain and .gz logs."""
import gzip
import re
import statistics
import sys
from collections import Counter, defaultdict

LINE = re.compile(r'(?P<ip>\S+) \S+ \S+ \[(?P<ts>[^\]]+)\] "(?P<m>\S+) (?P<path>\S+)[^"]*" (?P<st>\d{3}) \S+.* (?P<rt>[\d.]+)$')


def lines(names):
    for n in names:
        with (gzip.open(n, "rt") if n.endswith(".gz") else open(n)) as f:
            yield from f


errors, times, attempts = Counter(), defaultdict(list), Counter()
for line in lines(sys.argv[1:] or ["/var/log/nginx/access.log"]):
    m = LINE.match(line)
    if not m:
        continue
    path = m["path"].split("?")[0]
    times[path].append(float(m["rt"]))
    if m["st"].startswith("5"):
        errors[path] += 1
    if m["st"] == "401":
        attempts[m["ip"]] += 1

print("errors:", errors.most_common(10))
print("failed logins:", attempts.most_common(10))
for p, t in sorted(times.items(), key=lambda kv: -statistics.median(kv[1]))[:10]:
    print(f"{statistics.median(t):7.3f}s n={len(t):5d} {p}")
