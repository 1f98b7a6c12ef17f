import cmath


def fft(a):
    n = len(a)
    if n == 1:
        return a
    e, o = fft(a[::2]), fft(a[1::2])
    t = [cmath.exp(-2j * cmath.pi * k / n) * o[k] for k in range(n // 2)]
    return [e[k] + t[k] for k in range(n // 2)] + [e[k] - t[k] for k in range(n // 2)]


def dft(a):
    n = len(a)
    return [sum(x * cmath.exp(-2j * cmath.pi * j * k / n) for j, x in enumerate(a)) for k in range(n)]


sig = [complex(i % 5) for i in range(16)]
assert all(abs(x - y) < 1e-9 for x, y in zip(fft(sig), dft(sig)))
print([round(abs(v), 2) for v in fft(sig)])
