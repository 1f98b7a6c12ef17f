# class: algorithm; style: tidy
def sieve(limit: int) -> list[int]:
    flags = bytearray([1]) * (limit + 1)
    flags[:2] = b"\0\0"
    for n in range(2, int(limit ** 0.5) + 1):
        if flags[n]:
            flags[n * n::n] = bytes(len(flags[n * n::n]))
    return [n for n, flag in enumerate(flags) if flag]


print(sieve(100))
