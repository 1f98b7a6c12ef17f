# own base64 encoder compared with the standard one
import base64

ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def encode(data: bytes) -> str:
    out = []
    for i in range(0, len(data), 3):
        chunk = data[i:i + 3]
        n = int.from_bytes(chunk.ljust(3, b"\0"), "big")
        quad = [ALPHA[(n >> s) & 63] for s in (18, 12, 6, 0)]
        out += quad[:len(chunk) + 1] + ["="] * (3 - len(chunk))
    return "".join(out)


for sample in (b"", b"f", b"fo", b"foo", b"hello world"):
    assert encode(sample) == base64.b64encode(sample).decode()
print("ok")
