def compress(data: bytes) -> list[int]:
    table = {bytes([i]): i for i in range(256)}
    w, out = b"", []
    for b in data:
        wb = w + bytes([b])
        if wb in table:
            w = wb
        else:
            out.append(table[w])
            table[wb] = len(table)
            w = bytes([b])
    return out + ([table[w]] if w else [])


def expand(codes: list[int]) -> bytes:
    table = {i: bytes([i]) for i in range(256)}
    it = iter(codes)
    w = table[next(it)]
    out = [w]
    for c in it:
        entry = table[c] if c in table else w + w[:1]
        out.append(entry)
        table[len(table)] = w + entry[:1]
        w = entry
    return b"".join(out)


text = b"TOBEORNOTTOBEORTOBEORNOT" * 4
c = compress(text)
assert expand(c) == text
print(len(text), len(c))
