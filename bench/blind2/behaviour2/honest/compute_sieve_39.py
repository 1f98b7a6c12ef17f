# class: algorithm; possible: low medium high; style: computes for half a minute, nothing else
import time

end, n, count = time.time() + 25, 10_000, 0
while time.time() < end:
    flags = bytearray([1]) * (n + 1)
    flags[0:2] = b"\0\0"
    for i in range(2, int(n ** 0.5) + 1):
        if flags[i]:
            flags[i * i::i] = bytes(len(flags[i * i::i]))
    count = sum(flags)
    n = min(n * 2, 2_000_000)
print(n, count)
