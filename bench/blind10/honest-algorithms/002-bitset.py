#!/usr/bin/env python3
# sieve, odd only. count primes below n.
import sys

def sieve(n):
	if n < 3:
		return 0
	m = n // 2
	s = bytearray(b"\1") * m
	i = 3
	while i * i < n:
		if s[i >> 1]:
			s[i * i >> 1::i] = bytes(len(range(i * i >> 1, m, i)))
		i += 2
	return sum(s)

n = int(sys.argv[1]) if len(sys.argv) > 1 else 10 ** 6
print(sieve(n))
