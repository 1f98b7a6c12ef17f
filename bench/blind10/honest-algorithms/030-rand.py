#!/usr/bin/env python3
# xoshiro256**, seeded by splitmix64. chi2 over 256 bins.
M = (1 << 64) - 1

def rotl(x, k):
	return (x << k | x >> (64 - k)) & M

class Xoshiro:
	def __init__(self, seed):
		s = []
		for _ in range(4):
			seed = (seed + 0x9E3779B97F4A7C15) & M
			z = seed
			z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & M
			z = ((z ^ z >> 27) * 0x94D049BB133111EB) & M
			s.append(z ^ z >> 31)
		self.s = s

	def next(self):
		s = self.s
		r = rotl(s[1] * 5 & M, 7) * 9 & M
		t = s[1] << 17 & M
		s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]
		s[2] ^= t
		s[3] = rotl(s[3], 45)
		return r

g = Xoshiro(2024)
bins = [0] * 256
N = 1 << 17
for _ in range(N):
	bins[g.next() >> 56] += 1
e = N / 256
print("chi2 %.1f (255 dof)" % sum((b - e) ** 2 / e for b in bins))
