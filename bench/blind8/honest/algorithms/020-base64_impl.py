import base64
import os
import string

ABC = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


def encode(data: bytes) -> str:
    pad = -len(data) % 3
    n = int.from_bytes(data + b"\0" * pad, "big")
    chars = []
    for _ in range((len(data) + pad) // 3 * 4):
        chars.append(ABC[n & 63])
        n >>= 6
    out = "".join(reversed(chars))
    return out[:len(out) - pad] + "=" * pad


def decode(s: str) -> bytes:
    pad = s.count("=")
    n = 0
    for c in s.replace("=", "A"):
        n = n << 6 | ABC.index(c)
    return n.to_bytes(len(s) // 4 * 3, "big")[:len(s) // 4 * 3 - pad]


for size in range(64):
    raw = os.urandom(size)
    assert encode(raw) == base64.b64encode(raw).decode()
    assert decode(encode(raw)) == raw
print("64 sizes agree")
