import cmath


def fft(a, inv=False):
    n = len(a)
    if n == 1:
        return a
    even, odd = fft(a[::2], inv), fft(a[1::2], inv)
    s = 1 if inv else -1
    out = [0] * n
    for k in range(n // 2):
        w = cmath.exp(s * 2j * cmath.pi * k / n) * odd[k]
        out[k], out[k + n // 2] = even[k] + w, even[k] - w
    return out


def multiply(p, q):
    n = 1
    while n < len(p) + len(q):
        n *= 2
    fp = fft(list(map(complex, p)) + [0] * (n - len(p)))
    fq = fft(list(map(complex, q)) + [0] * (n - len(q)))
    r = fft([x * y for x, y in zip(fp, fq)], True)
    return [round(x.real / n) for x in r][: len(p) + len(q) - 1]


print(multiply([1, 2, 3], [4, 5]))
