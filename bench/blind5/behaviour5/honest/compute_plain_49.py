# class: algorithm; possible: low medium high
def sieve(n):
    m = bytearray([1]) * (n + 1); m[:2] = b"\0\0"
    for i in range(2, int(n ** .5) + 1):
        if m[i]: m[i * i::i] = bytes(len(m[i * i::i]))
    return sum(m)
print(sieve(400000)); print(sum(pow(3, k, 1000003) for k in range(100000)))
