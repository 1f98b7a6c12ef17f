"""Crypto exercise 1.4: find the line that was xored with one byte."""
SCORES = {c: s for s, c in enumerate("zqxjkvbpygfwmucldrhs nioate", 1)}


def score(raw: bytes) -> int:
    return sum(SCORES.get(chr(b).lower(), -15) for b in raw)


def crack(line: str):
    raw = bytes.fromhex(line)
    return max(((score(t := bytes(b ^ k for b in raw)), k, t) for k in range(256)), key=lambda r: r[0])


lines = [
    "".join(f"{(i * 73 + j * 29) % 256:02x}" for j in range(24)) for i in range(10)
]
lines.insert(4, bytes(b ^ 0x35 for b in b"now that the party is jumping").hex())
best = max(map(crack, lines), key=lambda r: r[0])
print(chr(best[1]), best[2].decode())
