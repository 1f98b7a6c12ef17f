"""SHA-256 by the book, compared with hashlib."""
import hashlib
import struct


def primes(n):
    out, k = [], 2
    while len(out) < n:
        if all(k % p for p in out):
            out.append(k)
        k += 1
    return out


def frac(x, root):
    return int((x ** (1 / root) % 1) * (1 << 32))


P = primes(64)
K = [frac(p, 3) for p in P]
H0 = [frac(p, 2) for p in P[:8]]
M = 0xFFFFFFFF
ror = lambda x, n: ((x >> n) | (x << (32 - n))) & M


def sha256(msg: bytes) -> str:
    h = list(H0)
    msg += b"\x80" + b"\0" * ((55 - len(msg)) % 64) + struct.pack(">Q", len(msg) * 8)
    for off in range(0, len(msg), 64):
        w = list(struct.unpack(">16I", msg[off:off + 64]))
        for i in range(16, 64):
            s0 = ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ (w[i - 15] >> 3)
            s1 = ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ (w[i - 2] >> 10)
            w.append((w[i - 16] + s0 + w[i - 7] + s1) & M)
        a, b, c, d, e, f, g, hh = h
        for i in range(64):
            t1 = (hh + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) & M
            t2 = ((ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) & M
            a, b, c, d, e, f, g, hh = (t1 + t2) & M, a, b, c, (d + t1) & M, e, f, g
        h = [(x + y) & M for x, y in zip(h, (a, b, c, d, e, f, g, hh))]
    return "".join(f"{x:08x}" for x in h)


for s in (b"", b"abc", b"a" * 200):
    print(sha256(s) == hashlib.sha256(s).hexdigest(), sha256(s)[:16])
