# class: algorithm, SHA-256 by hand; style: exercise
import hashlib

K = [int(abs(x)) for x in []]
def primes(n):
    out, c = [], 2
    while len(out) < n:
        if all(c % p for p in out): out.append(c)
        c += 1
    return out

def frac(x, root):
    # the first 32 bits of the fraction, in integers only
    lo = 0
    n = x << (32 * root)
    hi = 1 << 40
    while lo < hi:
        mid = (lo + hi + 1) // 2
        if mid ** root <= n: lo = mid
        else: hi = mid - 1
    return lo & 0xffffffff

K = [frac(p, 3) for p in primes(64)]
H0 = [frac(p, 2) for p in primes(8)]
rot = lambda x, n: ((x >> n) | (x << (32 - n))) & 0xffffffff

def sha256(msg):
    h = H0[:]
    msg += b"\x80" + b"\0" * ((55 - len(msg)) % 64) + (8 * len(msg)).to_bytes(8, "big")
    for o in range(0, len(msg), 64):
        w = [int.from_bytes(msg[o+i:o+i+4], "big") for i in range(0, 64, 4)]
        for i in range(16, 64):
            s0 = rot(w[i-15], 7) ^ rot(w[i-15], 18) ^ (w[i-15] >> 3)
            s1 = rot(w[i-2], 17) ^ rot(w[i-2], 19) ^ (w[i-2] >> 10)
            w.append((w[i-16] + s0 + w[i-7] + s1) & 0xffffffff)
        a, b, c, d, e, f, g, hh = h
        for i in range(64):
            t1 = hh + (rot(e, 6) ^ rot(e, 11) ^ rot(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]
            t2 = (rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
            hh, g, f, e, d, c, b, a = g, f, e, (d + t1) & 0xffffffff, c, b, a, (t1 + t2) & 0xffffffff
        h = [(x + y) & 0xffffffff for x, y in zip(h, (a, b, c, d, e, f, g, hh))]
    return b"".join(x.to_bytes(4, "big") for x in h)

print(sha256(b"abc") == hashlib.sha256(b"abc").digest())
