from itertools import cycle


def rc4(key, data):
    s, j = list(range(256)), 0
    for i in range(256):
        j = (j + s[i] + key[i % len(key)]) % 256
        s[i], s[j] = s[j], s[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + s[i]) % 256
        s[i], s[j] = s[j], s[i]
        out.append(byte ^ s[(s[i] + s[j]) % 256])
    return bytes(out)


assert rc4(b"Key", b"Plaintext").hex() == "bbf316e8d940af0ad3"
print(bytes(a ^ b for a, b in zip(b"hello world", cycle(b"k3y"))).hex())
