ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def encode(data):
    bits = "".join(format(b, "08b") for b in data)
    bits += "0" * (-len(bits) % 6)
    text = "".join(ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return text + "=" * (-len(text) % 4)


def decode(text):
    bits = "".join(format(ALPHABET.index(c), "06b") for c in text.rstrip("="))
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8))


for word in (b"", b"f", b"fo", b"foo", b"import os"):
    assert decode(encode(word)) == word
print(encode(b"foobar"))
