from itertools import cycle
import base64


def xor(data: bytes, key: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, cycle(key)))


def hamming(a, b):
    return sum(bin(x ^ y).count("1") for x, y in zip(a, b))


msg = b"attack of the killer tomatoes"
enc = xor(msg, b"ICE")
print(base64.b64encode(enc).decode())
assert xor(enc, b"ICE") == msg
print(hamming(b"this is a test", b"wokka wokka!!!"))
