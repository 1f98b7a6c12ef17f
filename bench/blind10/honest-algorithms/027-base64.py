"""Base64 from scratch, compared with the library."""
import base64
import os

A = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def encode(data: bytes) -> str:
    out = []
    for i in range(0, len(data), 3):
        block = data[i:i + 3]
        n = int.from_bytes(block.ljust(3, b"\0"), "big")
        q = [A[n >> s & 63] for s in (18, 12, 6, 0)]
        out.append("".join(q[:len(block) + 1]).ljust(4, "="))
    return "".join(out)


def decode(text: str) -> bytes:
    out = bytearray()
    for i in range(0, len(text), 4):
        q = text[i:i + 4]
        pad = q.count("=")
        n = 0
        for ch in q.replace("=", "A"):
            n = n << 6 | A.index(ch)
        out += n.to_bytes(3, "big")[:3 - pad]
    return bytes(out)


for size in (0, 1, 2, 3, 50):
    blob = os.urandom(size)
    enc = encode(blob)
    assert enc == base64.b64encode(blob).decode() and decode(enc) == blob
    print(size, enc[:24])
