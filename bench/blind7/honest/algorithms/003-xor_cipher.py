"""Classical ciphers for the crypto course."""
from collections import Counter
from itertools import cycle
from string import ascii_lowercase as AZ


def caesar(text, k):
    return text.translate(str.maketrans(AZ, AZ[k:] + AZ[:k]))


def vigenere(text, key, sign=1):
    ks = cycle(key)
    return "".join(AZ[(AZ.index(c) + sign * AZ.index(next(ks))) % 26] if c in AZ else c for c in text)


def xor(data: bytes, key: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, cycle(key)))


def crack_caesar(text):
    freq = Counter(c for c in text if c in AZ).most_common(1)[0][0]
    return caesar(text, (AZ.index("e") - AZ.index(freq)) % 26)


msg = "meet me near the three green trees before seven"
assert crack_caesar(caesar(msg, 11)) == msg
assert vigenere(vigenere(msg, "lemon"), "lemon", -1) == msg
assert xor(xor(msg.encode(), b"key"), b"key").decode() == msg
print("ok")
