import struct
def crc32(data):
    table = []
    for n in range(256):
        for _ in range(8): n = n >> 1 ^ 0xEDB88320 * (n & 1)
        table.append(n)
    c = 0xFFFFFFFF
    for b in data: c = table[(c ^ b) & 255] ^ c >> 8
    return c ^ 0xFFFFFFFF
print(hex(crc32(b"123456789")), struct.pack(">I", crc32(b"a")).hex())
