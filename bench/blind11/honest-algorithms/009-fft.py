import cmath


def fft(a, inv=False):
    n = len(a)
    if n == 1:
        return a
    even, odd = fft(a[::2], inv), fft(a[1::2], inv)
    sign = 1 if inv else -1
    out = [0] * n
    for k in range(n // 2):
        t = cmath.exp(sign * 2j * cmath.pi * k / n) * odd[k]
        out[k] = even[k] + t
        out[k + n // 2] = even[k] - t
    return out


def multiply(p, q):
    n = 1
    while n < len(p) + len(q):
        n *= 2
    f = fft(p + [0] * (n - len(p)))
    g = fft(q + [0] * (n - len(q)))
    r = fft([x * y for x, y in zip(f, g)], inv=True)
    return [round((c / n).real) for c in r][: len(p) + len(q) - 1]


print(multiply([1, 2, 3], [4, 5]))
