#!/usr/bin/env python3
# access.log -> top ips, slow paths, 5xx rate. stdin or files.
import collections, fileinput, re

RX = re.compile(r'^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+)[^"]*" (\d{3}) (\d+|-) .* (\d+\.\d+)$')

ip = collections.Counter()
st = collections.Counter()
tm = collections.defaultdict(list)
bad = 0
for l in fileinput.input():
	m = RX.match(l)
	if not m:
		bad += 1
		continue
	ip[m[1]] += 1
	st[m[5][0] + "xx"] += 1
	tm[m[4].split("?")[0]].append(float(m[7]))

n = sum(st.values()) or 1
for k, v in sorted(st.items()):
	print("%s %7d %5.1f%%" % (k, v, 100 * v / n))
print("unparsed", bad)
for k, v in ip.most_common(10):
	print("%-40s %d" % (k, v))
for k, v in sorted(tm.items(), key=lambda x: -sorted(x[1])[len(x[1]) * 95 // 100])[:10]:
	print("%-40s p95 %.3f n %d" % (k, sorted(v)[len(v) * 95 // 100], len(v)))
