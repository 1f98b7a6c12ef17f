import collections
import gzip
import re
import sys

LINE = re.compile(r'(?P<ip>\S+) \S+ \S+ \[(?P<t>[^\]]+)\] "(?P<m>\S+) (?P<u>\S+)[^"]*" (?P<s>\d{3}) (?P<b>\d+|-)')


def lines(paths):
    for p in paths:
        op = gzip.open if p.endswith(".gz") else open
        with op(p, "rt", errors="replace") as f:
            yield from f


status, urls, ips, total = collections.Counter(), collections.Counter(), collections.Counter(), 0
for l in lines(sys.argv[1:] or ["access.log"]):
    if m := LINE.match(l):
        status[m["s"]] += 1
        urls[m["u"].split("?")[0]] += 1
        ips[m["ip"]] += 1
        total += 0 if m["b"] == "-" else int(m["b"])

print(f"{sum(status.values())} requests, {total / 2**20:.1f} MiB")
for name, c in (("status", status), ("urls", urls), ("clients", ips)):
    print(f"\n{name}")
    for k, n in c.most_common(10):
        print(f"{n:8} {k}")
