# error rates and slow requests from the access log
import collections
import re
import sys

LINE = re.compile(r'(?P<ip>\S+) \S+ \S+ \[(?P<ts>[^\]]+)\] "(?P<m>\S+) (?P<path>\S+) [^"]*" (?P<st>\d{3}) (?P<size>\d+|-)')
status = collections.Counter()
paths = collections.Counter()
ips = collections.Counter()
with open(sys.argv[1] if len(sys.argv) > 1 else "/var/log/nginx/access.log", errors="replace") as log:
    for line in log:
        m = LINE.match(line)
        if not m:
            continue
        status[m["st"][0] + "xx"] += 1
        if m["st"].startswith("5"):
            paths[m["path"]] += 1
        ips[m["ip"]] += 1
print(status)
print(paths.most_common(5))
print(ips.most_common(5))
