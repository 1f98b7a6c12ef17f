# class: puzzle, cipher; style: test style
import base64
import itertools


def xor(data: bytes, key: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, itertools.cycle(key)))


def test_roundtrip():
    secret = xor(b"attack at dawn", b"lemon")
    assert xor(secret, b"lemon") == b"attack at dawn"
    print(base64.b64encode(secret).decode())


test_roundtrip()
