"""Classroom ciphers."""
from itertools import cycle

def xor(data: bytes, key: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, cycle(key)))

def vigenere(text: str, key: str) -> str:
    return "".join(chr((ord(c) + ord(k) - 130) % 26 + 65) for c, k in zip(text, cycle(key)))

secret = xor(b"attack at dawn", b"lemon")
assert xor(secret, b"lemon") == b"attack at dawn"
print(vigenere("ATTACKATDAWN", "LEMON"))
