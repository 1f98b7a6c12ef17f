import sys

sys.set_int_max_str_digits(0)


def fib(n):
    a, b = 0, 1
    for bit in bin(n)[2:]:
        a, b = a * (2 * b - a), a * a + b * b
        if bit == "1":
            a, b = b, a + b
    return a


print(len(str(fib(10**6))))
