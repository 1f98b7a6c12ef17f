# class: algorithm; style: short
import cmath
def fft(a):
    n = len(a)
    if n == 1: return a
    e, o = fft(a[::2]), fft(a[1::2])
    t = [cmath.exp(-2j * cmath.pi * k / n) * o[k] for k in range(n // 2)]
    return [e[k] + t[k] for k in range(n // 2)] + [e[k] - t[k] for k in range(n // 2)]
print([round(abs(x), 3) for x in fft([1, 1, 1, 1, 0, 0, 0, 0])])
