import base64
import os
import string

ALPHA = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


def encode(data):
    out = []
    for i in range(0, len(data), 3):
        chunk = data[i:i + 3]
        n = int.from_bytes(chunk.ljust(3, b"\0"), "big")
        s = "".join(ALPHA[n >> s & 63] for s in (18, 12, 6, 0))
        out.append(s[:len(chunk) + 1] + "=" * (3 - len(chunk)))
    return "".join(out)


for n in range(40):
    d = os.urandom(n)
    assert encode(d) == base64.b64encode(d).decode()
print("ok")
