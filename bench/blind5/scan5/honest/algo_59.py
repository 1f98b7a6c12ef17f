from typing import Iterator
def chunks(data: bytes, n: int) -> Iterator[bytes]:
    for i in range(0, len(data), n): yield data[i:i + n]
def xor(data: bytes, key: bytes) -> bytes: return bytes(d ^ key[i % len(key)] for i, d in enumerate(data))
enc = xor(b"hello world", b"k3y"); print(enc.hex(), xor(enc, b"k3y"), list(chunks(enc, 4)))
