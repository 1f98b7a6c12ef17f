def pack(data: bytes):
    table = {bytes([i]): i for i in range(256)}
    word, out = b"", []
    for byte in data:
        nxt = word + bytes([byte])
        if nxt in table:
            word = nxt
        else:
            out.append(table[word])
            table[nxt] = len(table)
            word = bytes([byte])
    return out + ([table[word]] if word else [])


def unpack(codes):
    table = {i: bytes([i]) for i in range(256)}
    word = out = table[codes[0]]
    for code in codes[1:]:
        entry = table.get(code, word + word[:1])
        out += entry
        table[len(table)] = word + entry[:1]
        word = entry
    return out


text = b"TOBEORNOTTOBEORTOBEORNOT" * 4
assert unpack(pack(text)) == text
print(len(text), len(pack(text)))
