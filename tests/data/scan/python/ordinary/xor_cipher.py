def xor(data: bytes, key: bytes) -> bytes:
    return bytes(b ^ key[i % len(key)] for i, b in enumerate(data))

msg = b"the quick brown fox"
assert xor(xor(msg, b"k3y"), b"k3y") == msg
print(xor(msg, b"k3y").hex())
