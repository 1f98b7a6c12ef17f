#!/usr/bin/env python3
# order of units, like systemd does it: After= edges, cycles reported
from collections import defaultdict, deque

UNITS = """
network: udev
sshd: network auditd
auditd: udev
cron: network
udev:
kill-old: cron
"""

def parse(t):
	g = {}
	for l in t.strip().splitlines():
		u, d = l.split(":")
		g[u] = d.split()
	return g

def order(g):
	indeg = {u: len(d) for u, d in g.items()}
	rev = defaultdict(list)
	for u, ds in g.items():
		for d in ds:
			rev[d].append(u)
	q = deque(sorted(u for u, n in indeg.items() if not n))
	out = []
	while q:
		u = q.popleft()
		out.append(u)
		for v in rev[u]:
			indeg[v] -= 1
			if not indeg[v]:
				q.append(v)
	if len(out) != len(g):
		raise SystemExit("cycle: " + " ".join(u for u, n in indeg.items() if n))
	return out

print(" -> ".join(order(parse(UNITS))))
