import base64
import random

A64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def b64(data: bytes) -> str:
    out = []
    for i in range(0, len(data), 3):
        chunk = data[i:i + 3]
        n = int.from_bytes(chunk.ljust(3, b"\0"), "big")
        s = "".join(A64[n >> sh & 63] for sh in (18, 12, 6, 0))
        out.append(s[: len(chunk) + 1].ljust(4, "="))
    return "".join(out)


def unb64(text: str) -> bytes:
    pad = text.count("=")
    bits = "".join(f"{A64.index(c):06b}" for c in text.rstrip("="))
    bits = bits[: len(bits) - len(bits) % 8]
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


for n in range(50):
    d = random.randbytes(n)
    assert b64(d) == base64.b64encode(d).decode()
    assert unb64(b64(d)) == d
print("all equal")
