#!/usr/bin/env python3
# lcs diff, quadratic, fine for small files
import sys

def lcs(a, b):
	t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
	for i in range(len(a) - 1, -1, -1):
		for j in range(len(b) - 1, -1, -1):
			t[i][j] = t[i + 1][j + 1] + 1 if a[i] == b[j] else max(t[i + 1][j], t[i][j + 1])
	return t

def diff(a, b):
	t = lcs(a, b)
	i = j = 0
	while i < len(a) or j < len(b):
		if i < len(a) and j < len(b) and a[i] == b[j]:
			yield " ", a[i]
			i += 1; j += 1
		elif j < len(b) and (i == len(a) or t[i][j + 1] >= t[i + 1][j]):
			yield "+", b[j]
			j += 1
		else:
			yield "-", a[i]
			i += 1

if len(sys.argv) == 3:
	x, y = (open(p).read().splitlines() for p in sys.argv[1:])
else:
	x, y = "a b c d e".split(), "a c x d e f".split()
for m, l in diff(x, y):
	print(m + l)
