#!/usr/bin/env python3
"""log summary: status codes and slowest paths of an nginx access log"""
import collections, re, sys
LINE = re.compile(r'"(?:GET|POST|PUT) (\S+) [^"]*" (\d{3}) \d+ .* (\d+\.\d+)$')
codes, slow = collections.Counter(), []
for line in open(sys.argv[1] if len(sys.argv) > 1 else "/var/log/nginx/access.log", errors="replace"):
    m = LINE.search(line)
    if m: codes[m[2]] += 1; slow.append((float(m[3]), m[1]))
print(codes.most_common()); print(sorted(slow, reverse=True)[:5])
